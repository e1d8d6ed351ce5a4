import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Refusal } from "../../../../src/sandbox/api/refusal.ts";
import {
  fieldSelector,
  labelSelector,
  matchesSelector,
} from "../../../../src/sandbox/api/selectors.ts";
import type { JsonMembers, KubeObject } from "../../../../src/sandbox/kubeObject.ts";

const labeled = (labels: JsonMembers | undefined): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p", ...(labels && { labels }) },
});

/** The objects to select from, by the name that the expected results use. */
const objects = {
  a: labeled({ a: "1" }),
  b: labeled({ a: "2", "example.com/b": "x", empty: "" }),
  none: labeled(undefined),
};
const selected = (holds: (object: KubeObject) => boolean): string =>
  Object.entries(objects)
    .filter(([, object]) => holds(object))
    .map(([name]) => name)
    .join(" ");

const refusalOf = (action: () => unknown): string => {
  try {
    action();
  } catch (error) {
    assert.ok(error instanceof Refusal);
    assert.equal(error.code, 400);
    return error.message;
  }
  return assert.fail("not refused");
};

describe("a label selector", () => {
  for (const [text, expected] of [
    ["", "a b none"],
    ["  ", "a b none"],
    ["a=1", "a"],
    ["a==1", "a"],
    ["a = 1", "a"],
    ["a!=1", "b none"],
    ["a", "a b"],
    ["!a", "none"],
    ["! a", "none"],
    ["a in (1,3)", "a"],
    ["a in ( 1 , 2 )", "a b"],
    ["a notin (1,3)", "b none"],
    ["a in (1,2),!example.com/b", "a"],
    ["a,example.com/b=x", "b"],
    ["empty=", "b"],
    ["a=1,a=2", ""],
  ] as const) {
    test(`${JSON.stringify(text)} selects ${expected || "nothing"}`, () => {
      assert.equal(selected(labelSelector(text)), expected);
    });
  }

  for (const [text, message] of [
    ["a===b", /found '=', expected: identifier$/],
    ["?", /Invalid value: "\?": name part must consist of alphanumeric/],
    ["a/b/c=1", /Invalid value: "a\/b\/c"/],
    ["a=b c", /unable to parse requirement/],
    ["a=-", /^unable to parse requirement: a=-$/],
    ["a in (b,_)", /^unable to parse requirement: a in \(b,_\)$/],
    [`a=${"x".repeat(64)}`, /^unable to parse requirement: a=x+$/],
  ] as const) {
    test(`${JSON.stringify(text)} is refused`, () => {
      assert.match(
        refusalOf(() => labelSelector(text)),
        message,
      );
    });
  }

  test("accepts a value of 63 characters", () => {
    assert.equal(selected(labelSelector(`a=${"x".repeat(63)}`)), "");
  });
});

describe("a field selector", () => {
  const pod = (spec: JsonMembers, status: JsonMembers = {}): KubeObject => ({
    ...labeled(undefined),
    metadata: { name: "p", namespace: "jobs" },
    spec,
    status,
  });
  const event = { ...labeled(undefined), kind: "Event", source: { component: "kubelet" } };
  const rows: readonly (readonly [text: string, object: KubeObject, boolean])[] = [
    ["", pod({}), true],
    ["metadata.name=p", pod({}), true],
    ["metadata.name==p", pod({}), true],
    ["metadata.name!=p", pod({}), false],
    ["metadata.name=p,metadata.namespace=other", pod({}), false],
    ["metadata.name=p, ,metadata.namespace=jobs", pod({}), true],
    ["status.phase=Running", pod({}, { phase: "Running" }), true],
    ["status.phase!=Running", pod({}), true],
    ["spec.nodeName=", pod({}), true],
    ["spec.hostNetwork=false", pod({}), true],
    ["spec.hostNetwork=true", pod({ hostNetwork: true }), true],
    ["spec.hostNetwork=true", pod({}), false],
    ["spec.unschedulable=false", { ...pod({}), kind: "Node" }, true],
    ["spec.unschedulable=true", { ...pod({ unschedulable: true }), kind: "Node" }, true],
    ["source=kubelet", event, true],
    ["source=scheduler", event, false],
    ["reason=", event, true],
  ];
  for (const [text, object, expected] of rows) {
    test(`${JSON.stringify(text)} ${expected ? "selects" : "skips"} ${JSON.stringify(object["spec"] ?? object["source"])}`, () => {
      assert.equal(fieldSelector(text, object.kind)(object), expected);
    });
  }

  test("is refused for an unknown field and without a value", () => {
    const refusal = (text: string, kind: string): string =>
      refusalOf(() => fieldSelector(text, kind));
    assert.equal(
      refusal("metadata.name", "Pod"),
      "invalid selector: 'metadata.name'; can't understand 'metadata.name'",
    );
    assert.equal(refusal("spec.image=a", "Pod"), "field label not supported: spec.image");
    assert.equal(
      refusal("data.a=1", "ConfigMap"),
      '"data.a" is not a known field selector: only "metadata.name", "metadata.namespace"',
    );
    assert.equal(fieldSelector("metadata.name=p", "ConfigMap")(pod({})), true);
  });
});

describe("a LabelSelector object", () => {
  const expression = (operator: string, ...values: string[]): JsonMembers => ({
    matchExpressions: [{ key: "a", operator, ...(values.length > 0 && { values }) }],
  });
  for (const [selector, expected] of [
    [{}, "a b none"],
    [{ matchLabels: { a: "1" } }, "a"],
    [{ matchLabels: { a: "2", "example.com/b": "y" } }, ""],
    [expression("In", "1", "3"), "a"],
    [expression("NotIn", "1", "3"), "b none"],
    [expression("Exists"), "a b"],
    [expression("DoesNotExist"), "none"],
    [{ matchLabels: { a: "1" }, ...expression("In", "2") }, ""],
  ] as const) {
    test(`${JSON.stringify(selector)} selects ${expected || "nothing"}`, () => {
      assert.equal(
        selected((object) => matchesSelector(selector, object)),
        expected,
      );
    });
  }
});
