import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonMembers, KubeObject } from "../../../../src/sandbox/kubeObject.ts";
import { containerEnv, type ConfigSources } from "../../../../src/sandbox/node/env/containerEnv.ts";
import { expand } from "../../../../src/sandbox/node/env/expand.ts";
import { decodePodSpec } from "../../../../src/sandbox/node/spec/podSpec.ts";

const bytes = (entries: Readonly<Record<string, string>>): ReadonlyMap<string, Uint8Array> =>
  new Map(Object.entries(entries).map(([name, text]) => [name, Buffer.from(text)]));
const holdings: ConfigSources = {
  configMap: (name) =>
    name === "conf" ? bytes({ A: "conf a", B: "conf b", "x=y": "" }) : undefined,
  secret: (name) => (name === "keys" ? bytes({ A: "secret a", é: "no" }) : undefined),
};

/** Returns the environment of a container, or the message of its failure. */
function envOf(container: JsonMembers, given: Readonly<Record<string, string>> = {}): unknown {
  const pod: KubeObject = {
    ...{ apiVersion: "v1", kind: "Pod", metadata: { name: "p", namespace: "jobs" } },
    spec: { containers: [{ name: "main", image: "x", ...container }] },
  };
  const spec = decodePodSpec(pod);
  const facts = { pod, spec, podAddress: "127.1.0.1", hostAddress: "h", allocatable: { cpu: 4 } };
  const [first] = spec.containers;
  assert.ok(first);
  const env = containerEnv(first, given, holdings, facts);
  return env.ok ? Object.fromEntries(env.value) : env.error;
}

describe("the environment of a container", () => {
  test("has entries of config maps and secrets with their prefixes, and the last of equal names", () => {
    const envFrom = [
      { configMapRef: { name: "conf" } },
      { prefix: "S_", secretRef: { name: "keys" } },
      { secretRef: { name: "keys" } },
    ];
    assert.deepEqual(envOf({ envFrom }, { A: "given", C: "given" }), {
      A: "secret a",
      B: "conf b",
      C: "given",
      S_A: "secret a",
    });
  });

  test("has values that refer to earlier entries", () => {
    const env = [
      { name: "A", value: "1" },
      { name: "B", value: "$(A)-$(LATER)-$$(A)" },
      { name: "LATER", value: "" },
      { name: "C" },
    ];
    assert.deepEqual(envOf({ env }), { A: "1", B: "1-$(LATER)-$(A)", LATER: "", C: "" });
  });

  const from = (valueFrom: JsonMembers): unknown => envOf({ env: [{ name: "X", valueFrom }] });
  for (const [title, valueFrom, expected] of [
    ["config map", { configMapKeyRef: { name: "conf", key: "B" } }, { X: "conf b" }],
    ["secret", { secretKeyRef: { name: "keys", key: "A" } }, { X: "secret a" }],
    ["field", { fieldRef: { fieldPath: "metadata.name" } }, { X: "p" }],
    ["resource", { resourceFieldRef: { resource: "limits.cpu" } }, { X: "4" }],
    [
      "missing config map",
      { configMapKeyRef: { name: "none", key: "B" } },
      'configmap "none" not found',
    ],
    ["missing secret", { secretKeyRef: { name: "none", key: "B" } }, 'secret "none" not found'],
    [
      "missing key of a config map",
      { configMapKeyRef: { name: "conf", key: "none" } },
      "couldn't find key none in ConfigMap jobs/conf",
    ],
    [
      "missing key of a secret",
      { secretKeyRef: { name: "keys", key: "none" } },
      "couldn't find key none in Secret jobs/keys",
    ],
    ["optional config map", { configMapKeyRef: { name: "none", key: "B", optional: true } }, {}],
    ["optional key", { secretKeyRef: { name: "keys", key: "none", optional: true } }, {}],
    ["unknown field", { fieldRef: { fieldPath: "spec.x" } }, "unsupported fieldPath: spec.x"],
    [
      "unknown resource",
      { resourceFieldRef: { resource: "cpu" } },
      "unsupported container resource : cpu",
    ],
    ["nothing", {}, "unsupported container resource : "],
  ] as const) {
    test(`has a value from: ${title}`, () => {
      assert.deepEqual(from(valueFrom), expected);
    });
  }

  test("needs sources that exist, unless they are optional", () => {
    const missing = (optional: boolean): unknown =>
      envOf({ envFrom: [{ configMapRef: { name: "none", optional } }] });
    assert.equal(missing(false), 'configmap "none" not found');
    assert.deepEqual(missing(true), {});
  });
});

test("references in texts are expanded once", () => {
  const known = new Map([
    ["A", "1"],
    ["B", "$(A)"],
    ["", "empty"],
  ]);
  for (const [text, expected] of [
    ["$(A)", "1"],
    ["$(A)$(A)", "11"],
    ["$(B)", "$(A)"],
    ["$(NONE)", "$(NONE)"],
    ["$$(A)", "$(A)"],
    ["$$$(A)", "$1"],
    ["$$", "$"],
    ["$A ${A} (A) $(", "$A ${A} (A) $("],
    ["$()", "empty"],
  ] as const) {
    assert.equal(expand(text, known), expected, text);
  }
});
