import { inEnglish } from "../../../../src/base/message.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseTemplate } from "../../../../src/spark/submit/template/templateYaml.ts";
import { versionTraits } from "../../../../src/spark/submit/conf/versionTraits.ts";

type Version = keyof typeof versionTraits;

const read = (text: string, version: Version = "4.3"): unknown => {
  const parsed = parseTemplate(text, "Pod", versionTraits[version]);
  return parsed.ok ? parsed.value : inEnglish(parsed.error.reason);
};

const kept: readonly (readonly [text: string, value: unknown, version?: Version])[] = [
  [
    "metadata: {labels: {a: 1, b: true, c: 1.50, d: ~, e: }}",
    labels("1", "true", "1.5", "~", null),
  ],
  [
    "metadata: {labels: {a: .inf, b: -0, c: True, d: 010, e: 1e3}}",
    labels("Infinity", "0", "True", "010", "1000.0"),
  ],
  [
    "metadata: {labels: {a: 1.0, b: 1e3, c: yes, d: 010, e: .5}}",
    labels("1.0", "1000.0", "true", "8", "0.5"),
    "3.3",
  ],
  [
    "metadata: {labels: {a: 0x1F, b: yes, c: 1:30, d: 08, e: 2020-01-01}}",
    labels("31", "yes", "90", "08", "2020-01-01"),
    "3.4",
  ],
  [
    "metadata: {labels: {a: -0b11, b: TRUE, c: 1_000, d: 017, e: 12345678901234567890}}",
    labels("-3", "true", "1000", "15", "12345678901234567890"),
    "3.4",
  ],
  ["spec: {hostname: a, hostname: b}", { spec: { hostname: "b" } }, "3.4"],
  ["metadata: {labels: {1: a, true: b}}", { metadata: { labels: { 1: "a", true: "b" } } }],
  ["spec: {hostNetwork: 1}", { spec: { hostNetwork: true } }],
  ['spec: {hostNetwork: "True"}', { spec: { hostNetwork: true } }],
  ['spec: {hostNetwork: ""}', { spec: {} }],
  ["spec: {imagePullSecrets: [a]}", { spec: { imagePullSecrets: [{ name: "a" }] } }],
  [
    "spec: {volumes: [{configMap: {defaultMode: 0644}}]}",
    { spec: { volumes: [{ configMap: { defaultMode: 420 } }] } },
  ],
  ["spec: {priority: 1.9}", { spec: { priority: 1 } }, "3.5"],
  ...(
    [
      ["0", 0],
      ["+5", 5],
      ["-12", -12],
      ["0x1f", 31],
      ["#1F", 31],
      ["-0X10", -16],
      ["017", 15],
      ["-017", -15],
      ["2147483647", 2_147_483_647],
    ] as const
  ).map(([text, priority]) => [`spec: {priority: "${text}"}`, { spec: { priority } }] as const),
  ['spec: {priority: " +5 "}', { spec: { priority: 5 } }, "3.5"],
  ['spec: {priority: "-2147483648"}', { spec: { priority: -2_147_483_648 } }, "3.5"],
  [
    "spec: {terminationGracePeriodSeconds: 2147483648}",
    { spec: { terminationGracePeriodSeconds: 2_147_483_648 } },
  ],
  ["spec: {terminationGracePeriodSeconds: 1.9}", { spec: { terminationGracePeriodSeconds: 1 } }],
  ["spec: {overhead: {cpu: 1.50}}", { spec: { overhead: { cpu: "1.5" } } }],
  [
    "spec: {bogus: {a: [1, null], b: {}}, other: null}",
    { spec: { bogus: { a: [1, null], b: {} }, other: null } },
  ],
  ["spec: {volumes: null, tolerations: [], nodeSelector: {}}", { spec: {} }],
  ["spec: {nodeSelector: {}}", { spec: { nodeSelector: {} } }, "3.3"],
  ['{"spec": {"hostname": "x"}} and more', { spec: { hostname: "x" } }],
  ["---\n---\nspec: {}\n", { spec: {} }],
];
for (const [text, value, version] of kept) {
  test(`${JSON.stringify(text)} is converted to field types by ${version ?? "4.3"}`, () => {
    assert.deepEqual(read(text, version), value);
  });
}

const refused: readonly (readonly [text: string, version?: Version])[] = [
  ["spec: {priority: 1.9}"],
  ["spec: {priority: 99999999999}"],
  ["spec: {priority: abc}"],
  ...["08", "00x1", "0x", "1 ", "2147483648", "0x80000000", "-"].map(
    (text) => [`spec: {priority: "${text}"}`] as const,
  ),
  ['spec: {priority: "2147483648"}', "3.5"],
  ['spec: {priority: "-2147483649"}', "3.5"],
  ['spec: {priority: "5a"}', "3.5"],
  ["spec: {hostNetwork: abc}"],
  ["spec: {affinity: []}"],
  ['spec: {affinity: ""}'],
  ["spec: {nodeSelector: x}"],
  ["spec: {volumes: {}}"],
  ["metadata: x"],
  ["metadata: {labels: {a: [b]}}"],
  ["metadata: {labels: {<<: {a: b}}}"],
  ["metadata: {labels: {null: a}}"],
  ["spec: {containers: [null]}"],
  ["spec: {containers: }"],
  ["spec: {overhead: {cpu: ''}}"],
  ["spec: {hostname: !custom x}"],
  ["spec: {hostname: \u0007}"],
  ["{spec: {}}"],
  ["spec: {}\n---\nspec: {}\n"],
  ["spec: {}\n---\n", "3.3"],
  ["spec: {}\n---\n", "3.4"],
  ["spec: {hostNetwork: yes}", "3.4"],
  ["spec: {containers: }", "3.4"],
];
for (const [text, version] of refused) {
  test(`${JSON.stringify(text)} is rejected by ${version ?? "4.3"}`, () => {
    assert.equal(typeof read(text, version), "string");
  });
}

for (const version of ["3.3", "3.4", "4.3"] as const) {
  test(`rejects endless nesting in ${version} without a stack overflow`, () => {
    for (const level of ["[", "{a: ", "- ", "? "]) {
      assert.equal(read(`spec: \n${level.repeat(10_000)}`, version), "it is nested too deeply");
    }
  });
}

function labels(a: unknown, b: unknown, c: unknown, d: unknown, e: unknown): unknown {
  return { metadata: { labels: { a, b, c, d, e } } };
}
