import assert from "node:assert/strict";
import { test } from "node:test";
import { namesFile } from "../../../src/editor/describe/namedFile.ts";

test("the program and the properties file of a run are known files", () => {
  const definition = {
    type: "spark",
    application: "${workspaceFolder}/jobs/orders.py",
    propertiesFile: "conf/spark-defaults.conf",
    args: ["jobs/other.py"],
  };
  const named = (path: string): boolean => namesFile(definition, { path });
  assert.ok(named("/home/ada/work/jobs/orders.py"));
  assert.ok(named("/home/ada/work/conf/spark-defaults.conf"));
  assert.ok(!named("/home/ada/work/jobs/other.py"));
  assert.ok(!named("/home/ada/work/myjobs/orders.py.txt"));
  assert.ok(!named("/home/ada/work/old-conf/spark-defaults.conf"));
});

test("an absolute path names one file, and a run without files none", () => {
  assert.ok(namesFile({ application: "/srv/a.py" }, { path: "/srv/a.py" }));
  assert.ok(!namesFile({ application: "/srv/a.py" }, { path: "/home/srv/a.py" }));
  assert.ok(!namesFile({ application: "" }, { path: "/a.py" }));
});
