import assert from "node:assert/strict";
import { test } from "node:test";
import { portableProfile } from "../../../src/editor/submit/portableProfile.ts";

const others = { image: "spark:4.3.0", namespace: "etl" };

test("files inside of the folder get its variable", () => {
  const profile = {
    ...others,
    application: "/home/a/jobs/pi.py",
    propertiesFile: "/home/a/b.conf",
  };
  assert.deepEqual(portableProfile(profile, "/home/a"), {
    ...others,
    application: "${workspaceFolder}/jobs/pi.py",
    propertiesFile: "${workspaceFolder}/b.conf",
  });
  const { application } = portableProfile({ application: "C:\\a\\pi.py" }, "C:\\a");
  assert.equal(application, "${workspaceFolder}\\pi.py");
});

test("other places stay", () => {
  for (const application of ["/home/abc/pi.py", "local:///home/a/pi.py", "jobs/pi.py"]) {
    assert.deepEqual(portableProfile({ ...others, application }, "/home/a"), {
      ...others,
      application,
    });
  }
});
