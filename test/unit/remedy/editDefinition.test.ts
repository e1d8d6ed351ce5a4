import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { editDefinition, editMembers } from "../../../src/spark/remedy/editDefinition.ts";

const conf = "# sizes\nspark.executor.memory 1g\nspark.executor.cores  2\n";
const properties = { text: conf, surface: "properties" } as const;
const set = (key: string, value: string) => ({ kind: "set", key, value }) as const;

describe("editing the definition of a run", () => {
  test("changes, adds and removes entries of a conf file in one edit", () => {
    const edited = editDefinition(properties, [
      set("spark.executor.memory", "2g"),
      set("spark.executor.memoryOverhead", "600m"),
      { kind: "unset", key: "spark.executor.cores" },
    ]);
    assert.match(edited ?? "", /^# sizes\nspark\.executor\.memory 2g\n/);
    assert.match(edited ?? "", /^spark\.executor\.memoryOverhead +600m$/m);
    assert.doesNotMatch(edited ?? "", /cores/);
  });

  test("changes the entry that Spark uses if a key is written twice", () => {
    const text = "spark.executor.memory 1g\nspark.executor.memory 3g\n";
    const edited = editDefinition({ ...properties, text }, [set("spark.executor.memory", "4g")]);
    assert.equal(edited, "spark.executor.memory 1g\nspark.executor.memory 4g\n");
  });

  test("changes an option of a command, and no other text", () => {
    const text = "spark-submit --master k8s://x --conf spark.executor.memory=1g app.py\n";
    const edited = editDefinition({ text, surface: "command" }, [
      set("spark.executor.memory", "2g"),
    ]);
    assert.equal(edited, text.replace("1g", "2g"));
  });

  test("adds an option after any option of a command, also a quoted one", () => {
    const added = (text: string) =>
      editDefinition({ text, surface: "command" }, [set("spark.executor.memoryOverhead", "1g")]);
    const option = " --conf spark.executor.memoryOverhead=1g";
    const master = "spark-submit --master k8s://x --deploy-mode cluster";
    assert.equal(added(`${master} app.py\n`), `${master}${option} app.py\n`);
    const lines = `${master} --conf spark.executor.cores='2' \\\n  app.py\n`;
    assert.equal(added(lines), lines.replace(" cluster", ` cluster${option}`));
    const quoted = `spark-submit --conf 'spark.app.name=a b' --conf spark.x='2' app.py`;
    assert.equal(added(quoted), quoted.replace(" app.py", `${option} app.py`));
  });

  test("changes the run profile of the run", () => {
    const text = `{ "tasks": [{ "type": "spark", "label": "orders", "application": "local:///a.py", "conf": { "spark.executor.memory": "1g" } }] }`;
    const source = {
      text,
      surface: "profiles",
      profile: { label: "orders", context: undefined },
    } as const;
    const edited = editDefinition(source, [set("spark.executor.memory", "2g")]);
    assert.equal(edited, text.replace("1g", "2g"));
  });

  test("changes the members of a run that no file defines", () => {
    const edit = set("spark.executor.memory", "2g");
    const members = { type: "spark", application: "local:///a.py", args: ["a"], label: "orders" };
    assert.deepEqual(editMembers(members, undefined, [edit]), {
      ...members,
      conf: { "spark.executor.memory": "2g" },
    });
    const conf = { "spark.executor.memory": "1g", "spark.x": "1" };
    const contexts = { prod: { conf } };
    const edited = { prod: { conf: { ...conf, "spark.executor.memory": "2g" } } };
    assert.deepEqual(editMembers({ ...members, conf, contexts }, "prod", [edit]), {
      ...{ ...members, conf, contexts: edited },
    });
  });

  test("returns undefined if the file cannot hold the edit", () => {
    assert.equal(
      editDefinition(properties, [{ kind: "member", name: "pythonPackages", value: "send" }]),
      undefined,
    );
    assert.equal(editDefinition(properties, [{ kind: "unset", key: "spark.absent" }]), undefined);
  });
});
