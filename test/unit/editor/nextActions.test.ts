import assert from "node:assert/strict";
import { test } from "node:test";
import { nextActions, summaryOf } from "../../../src/editor/submit/nextActions.ts";

const of = (...severities: readonly ("error" | "warning" | "unknown" | "information")[]) =>
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
