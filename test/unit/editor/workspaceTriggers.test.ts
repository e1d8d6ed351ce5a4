import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { callsCommands, startsSessions } from "../../../src/editor/submit/workspaceTriggers.ts";

const tasks = { version: "2.0.0", tasks: [{ type: "spark", label: "etl", args: ["${file}"] }] };

describe("tasks and launch configurations of a workspace", () => {
  test("cannot start a debug session without commands", () => {
    const launch = {
      configurations: [{ type: "spark", program: "${file}", preLaunchTask: "etl" }],
    };
    for (const section of [undefined, tasks, launch]) assert.equal(startsSessions(section), false);
  });

  test("may start one with a command, an input of a command, or a server action", () => {
    const start = "workbench.action.debug.start";
    for (const section of [
      { tasks: [{ type: "shell", command: `echo \${command:${start}}`, runOptions: {} }] },
      { ...tasks, inputs: [{ id: "x", type: "command", command: start }] },
      { configurations: [{ type: "node", serverReadyAction: { action: "startDebugging" } }] },
    ]) {
      assert.equal(startsSessions(section), true);
    }
  });

  test("call a command of the extension", () => {
    assert.equal(callsCommands(undefined, "sparkK8s"), false);
    assert.equal(callsCommands(tasks, "sparkK8s"), false);
    assert.equal(
      callsCommands({ inputs: [{ command: "sparkK8s.profile.run" }] }, "sparkK8s"),
      true,
    );
  });
});
