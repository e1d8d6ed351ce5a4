import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sparkDefaults } from "../../../src/storage/sparkDefaults.ts";
import { temporaryFolder } from "./temporaryFolder.ts";

test("reads the spark-defaults.conf that spark-submit would read", (t) => {
  const folder = temporaryFolder(t);
  const [home, own] = [join(folder, "home"), join(folder, "own")];
  assert.equal(sparkDefaults({ SPARK_HOME: home }), undefined);
  mkdirSync(join(home, "conf"), { recursive: true });
  mkdirSync(own);
  writeFileSync(join(home, "conf/spark-defaults.conf"), "spark.a 1\n");
  writeFileSync(join(own, "spark-defaults.conf"), "spark.a 2\n");
  assert.deepEqual(sparkDefaults({ SPARK_HOME: home }), {
    name: join(home, "conf/spark-defaults.conf"),
    text: "spark.a 1\n",
  });
  assert.deepEqual(sparkDefaults({ SPARK_HOME: home, SPARK_CONF_DIR: own }), {
    name: join(own, "spark-defaults.conf"),
    text: "spark.a 2\n",
  });
  assert.equal(sparkDefaults({}), undefined);
});
