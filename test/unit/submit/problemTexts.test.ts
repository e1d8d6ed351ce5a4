import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { isRecord } from "../../../src/base/json.ts";
import { inEnglish, verbatim, type Message } from "../../../src/base/message.ts";
import { manifestProblems } from "../../../src/spark/operator/manifestProblems.ts";
import { executorProblems } from "../../../src/spark/submit/executor/executorProblems.ts";
import { pastedProblems } from "../../../src/spark/submit/pasted/pastedFinding.ts";
import { problems } from "../../../src/spark/submit/plan/problems.ts";
import {
  joinUnchecked,
  preflightWords,
} from "../../../src/spark/submit/preflight/preflightFinding.ts";

type Make = (...values: readonly unknown[]) => unknown;

const span = { start: 1, end: 4 };
const edits = [{ span, text: "x" }];

/** Arguments by parameter name. The argument of any other parameter is its name. */
const samples: Readonly<Record<string, unknown>> = {
  ...{ at: { kind: "argument", token: 3 }, span, rest: { start: 2, end: 3 }, edits },
  ...{ count: 2, fits: 1, wanted: 3, maxSize: 1_000_000, minimum: 1, names: ["a", "b"] },
  ...{ paths: ["a", "b", "c", "d", "e"], choices: ["a", "b"], side: "most" },
  ...{ amounts: { user: "driver", resource: "cpu", asked: "2" } },
  fix: { title: verbatim("fix"), edits },
  files: [...[300_000, 500_000, 400_000, 200_000].map((size) => ({ name: `${size}.py`, size }))],
};

/** Additional arguments that change the text of a finding. */
const others: readonly (readonly [parameter: string, value: unknown])[] = [
  ...([["amount"], ["meant"], ["key"]] as const).map(([name]) => [name, undefined] as const),
  ["side", "least"],
  ["count", 1],
  ["fits", 2],
  ["paths", ["a", "b", "c"]],
];

const isMessage = (value: unknown): value is Message =>
  isRecord(value) && "strings" in value && "values" in value;

const textOf = (value: unknown): string =>
  typeof value === "string"
    ? value
    : isMessage(value)
      ? inEnglish(value)
      : JSON.stringify(value, (_, member: unknown) =>
          isMessage(member) ? inEnglish(member) : member,
        );

const described = (finding: unknown): string =>
  Object.entries(isRecord(finding) ? finding : {})
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${name}: ${textOf(value)}`)
    .join("\n");

/** Yields the findings that a function makes: one for the samples, and one for each additional argument. */
function* findingsOf(name: string, make: Make): Iterable<string> {
  const written = /^\(([^)]*)\)/.exec(make.toString().replace(/\{[^}]*\}(?=\s*[,)])/, "amounts"));
  assert.ok(written, name);
  const parameters = (written[1] ?? "").split(",").flatMap((one) => one.trim().split(" ")[0] || []);
  const valuesWith = (changed: readonly (readonly [string, unknown])[]) =>
    parameters.map((one) => new Map([[one, samples[one] ?? one], ...changed]).get(one));
  const standard = described(make(...valuesWith([])));
  yield `${name}\n${standard}`;
  for (const [parameter, value] of others) {
    if (!parameters.includes(parameter)) continue;
    const other = described(make(...valuesWith([[parameter, value]])));
    const words = other.replaceAll(/^ {2}key: .*\n?/gm, "").trimEnd();
    if (words === standard.replaceAll(/^ {2}key: .*\n?/gm, "").trimEnd()) continue;
    if (!other.includes("undefined")) yield `${name}, ${parameter} ${String(value)}\n${other}`;
  }
}

// `node --test --test-update-snapshots` updates the snapshot files.
for (const [file, all] of Object.entries({
  problems,
  executorProblems,
  pastedProblems,
  preflightWords,
  manifestProblems,
})) {
  test(`keeps the words, codes and places of ${file}`, (t) => {
    const texts = Object.entries(all).flatMap(([name, make]) => [
      ...findingsOf(name, make as Make),
    ]);
    t.assert.fileSnapshot(
      `${texts.join("\n\n")}\n`,
      join(import.meta.dirname, "texts", `${file}.txt`),
      { serializers: [String] },
    );
  });
}

test("joins the facts that could not be checked from the second one on", () => {
  const [one, other] = ["Image", "Node"].map((subject) =>
    preflightWords.notChecked(verbatim(subject), verbatim("timeout")),
  );
  assert.ok(one && other);
  const missing = preflightWords.missingNamespace("etl");
  assert.deepEqual(joinUnchecked([one, missing]), [one, missing]);
  const joined = joinUnchecked([one, missing, other]);
  assert.deepEqual(joined[0], missing);
  assert.deepEqual(
    joined.slice(1).map((finding) => described(finding)),
    [
      [
        "  code: P-90",
        "  severity: unknown",
        "  problem: 2 items could not be checked.",
        "  reason: Image: timeout. Node: timeout.",
        "  advice: Continue if you know that they are correct.",
      ].join("\n"),
    ],
  );
});
