import assert from "node:assert/strict";
import { test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import {
  checkedWords,
  checkPath,
  nextActions,
  summaryOf,
} from "../../../src/editor/submit/nextActions.ts";

type Severity = Parameters<typeof summaryOf>[0][number]["severity"];
const of = (...severities: readonly Severity[]) =>
  summaryOf(severities.map((severity) => ({ severity })));

test("offers the fix first after errors, and to submit second", () => {
  assert.deepEqual(nextActions(of("error", "warning"), ["fix"]), ["fix", "submit", "show"]);
});

test("offers to submit first after warnings and unknown checks", () => {
  assert.deepEqual(nextActions(of("warning"), ["fix", "save"]), ["submit", "fix", "save", "show"]);
  assert.deepEqual(nextActions(of("unknown"), ["fix"]), ["submit", "fix", "show"]);
});

test("offers no fix without findings, or if the source has no place to change", () => {
  assert.deepEqual(nextActions(of(), ["fix"]), ["submit", "show"]);
  assert.deepEqual(nextActions(of("information"), ["fix"]), ["submit", "show"]);
  assert.deepEqual(nextActions(of("error"), ["save"]), ["show", "submit", "save"]);
});

test("the message names the time and the worst findings", () => {
  const textOf = (...severities: readonly Severity[]): string =>
    inEnglish(checkedWords("orders", of(...severities), "15:02:11"));
  const found = (problems: string): string =>
    `Checked "orders" at 15:02:11: ${problems}. Nothing was submitted.`;
  assert.equal(textOf("error", "warning"), found("1 error"));
  assert.equal(textOf("error", "error"), found("2 errors"));
  assert.equal(textOf("warning", "information"), found("1 possible problem"));
  assert.equal(textOf("warning", "unknown"), found("2 possible problems"));
  assert.equal(textOf("information"), found("no problems"));
});

test("the tab of a check names the program, in one part of the path", () => {
  assert.equal(checkPath("too big"), "/too big check.txt");
  assert.equal(checkPath("a/../b"), "/a%2F..%2Fb check.txt");
});
