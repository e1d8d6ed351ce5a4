import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonMembers } from "../../../../src/sandbox/kubeObject.ts";
import { isLabel, metadataProblems } from "../../../../src/sandbox/rules/names.ts";

const problemsOf = (
  kind: string,
  metadata: JsonMembers & { readonly name: string },
  apiVersion = "v1",
): readonly string[] =>
  metadataProblems({ apiVersion, kind, metadata }).map(
    // Cut each message before "must consist of", to omit its examples and regular expression.
    ({ reason, field, message }) =>
      `${reason.slice("FieldValue".length)} ${field}: ${message.replace(/ must consist of .*$/, "")}`,
  );

const subdomain = "a lowercase RFC 1123 subdomain";
const label = "a lowercase RFC 1123 label";

describe("the name of an object", () => {
  for (const [kind, name, ...expected] of [
    ["ConfigMap", "a"],
    ["ConfigMap", "a.b-c.1"],
    ["ConfigMap", "x".repeat(253)],
    ["ConfigMap", "x".repeat(254), "must be no more than 253 characters"],
    ["ConfigMap", "", subdomain],
    ["ConfigMap", "a..b", subdomain],
    ["ConfigMap", "-a", subdomain],
    ["ConfigMap", "Up", subdomain],
    ["ConfigMap", "X".repeat(254), "must be no more than 253 characters", subdomain],
    ["Service", "a-1"],
    ["Service", "x".repeat(63)],
    ["Service", "x".repeat(64), "must be no more than 63 characters"],
    ["Service", "a.b", "must not contain dots"],
    [
      "Namespace",
      `${"x".repeat(63)}.b`,
      "must be no more than 63 characters",
      "must not contain dots",
    ],
    ["Namespace", "A", label],
    ["Namespace", "A".repeat(64), "must be no more than 63 characters", label],
  ] as const) {
    test(`${kind} ${name.slice(0, 8)}, ${name.length} characters, has ${expected.length} problems`, () => {
      const shown = JSON.stringify(name);
      assert.deepEqual(
        problemsOf(kind, { name }),
        expected.map((why) => `Invalid metadata.name: Invalid value: ${shown}: ${why}`),
      );
    });
  }

  test("is free for roles, and a subdomain for a Service of another group", () => {
    assert.deepEqual(problemsOf("Role", { name: "system:a" }, "rbac.authorization.k8s.io/v1"), []);
    assert.deepEqual(problemsOf("Service", { name: "a.b" }, "serving.knative.dev/v1"), []);
  });

  test("of a label has at most 63 characters", () => {
    assert.equal(isLabel("x".repeat(63)), true);
    for (const wrong of ["x".repeat(64), "", "a.b", "A", "a-"]) assert.equal(isLabel(wrong), false);
  });
});

describe("a label", () => {
  const wrong = (shown: string, why: string): string =>
    `Invalid metadata.labels: Invalid value: ${JSON.stringify(shown)}: ${why}`;
  const x64 = "x".repeat(64);
  for (const [key, value, ...expected] of [
    ["a", "b"],
    ["example.com/a_B.c", ""],
    ["x".repeat(63), "x".repeat(63)],
    ["a", x64, wrong(x64, "must be no more than 63 bytes")],
    ["a", "b c", wrong("b c", "a valid label must be an empty string or")],
    [x64, "b", wrong(x64, "name part must be no more than 63 bytes")],
    ["a b", "c", wrong("a b", "name part")],
    ["/a", "b", wrong("/a", "prefix part must be non-empty")],
    ["Up/a", "b", wrong("Up/a", `prefix part ${subdomain}`)],
    ["a/", "b", wrong("a/", "name part must be non-empty"), wrong("a/", "name part")],
    ["a/b/c", "d", wrong("a/b/c", "a valid label key")],
  ] as const) {
    test(`${key.slice(0, 20)}=${value.slice(0, 8)} has ${expected.length} problems`, () => {
      const plain = problemsOf("Pod", { name: "p", labels: { [key]: value } });
      assert.deepEqual(
        plain.map((text) =>
          text.replace(/ must be an empty string or consist of .*$/, " must be an empty string or"),
        ),
        expected,
      );
    });
  }
});

describe("annotations", () => {
  const problemsWith = (annotations: JsonMembers): readonly string[] =>
    problemsOf("Pod", { name: "p", annotations });

  test("may have any value and capital letters in the key", () => {
    assert.deepEqual(problemsWith({ "Example.com/A": "any value!\n" }), []);
    assert.match(problemsWith({ "a b": "" }).join(), /^Invalid metadata\.annotations: .*"a b"/);
  });

  test("have at most 256 KiB together, keys included", () => {
    const value = "x".repeat(128 * 1024 - 1);
    assert.deepEqual(problemsWith({ a: value, b: value }), []);
    assert.deepEqual(problemsWith({ a: value, b: `${value}x` }), [
      "TooLong metadata.annotations: Too long: may not be more than 262144 bytes",
    ]);
  });
});
