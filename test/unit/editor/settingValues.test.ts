import assert from "node:assert/strict";
import { test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import { failedItemsText, isRefusal, problemsButton } from "../../../src/editor/errorTexts.ts";
import {
  furtherIn,
  httpAddressIn,
  keptLimits,
  logsToKeep,
  numberOr,
  rowsIn,
  stringsIn,
  textIn,
} from "../../../src/editor/settingValues.ts";
import type { ClusterError } from "../../../src/engine/clusterError.ts";

test("a list keeps its texts", () => {
  assert.deepEqual(stringsIn(["a", "", 7, "b"]), ["a", "b"]);
  assert.deepEqual(stringsIn("a"), []);
});

test("a blank text is none", () => {
  assert.deepEqual([" python ", " ", 7].map(textIn), ["python", undefined, undefined]);
});

test("a number below the minimum means the default", () => {
  assert.deepEqual(
    [0, 1, 5, "5", undefined].map((value) => numberOr(value, 1, 60)),
    [60, 1, 5, 60, 60],
  );
  assert.deepEqual([0.4, 2.6, 99_999, -1].map(rowsIn), [1_000, 3, 10_000, 1_000]);
});

test("additional contexts are a map of lists", () => {
  assert.deepEqual(furtherIn({ qa: ["etl", 7], "": ["x"], dev: "all" }), { qa: ["etl"], dev: [] });
  for (const value of [undefined, null, "qa", ["qa"]]) assert.deepEqual(furtherIn(value), {});
});

test("limits of saved logs have defaults", () => {
  const defaults = { bytes: 500 * 2 ** 20, ageMs: 14 * 86_400_000, logs: 2_000 };
  assert.deepEqual(keptLimits(undefined, undefined), defaults);
  assert.deepEqual(keptLimits(0, -1), defaults);
  assert.deepEqual(keptLimits(1, 2), { bytes: 2 ** 20, ageMs: 2 * 86_400_000, logs: 2_000 });
});

test("failed logs are saved unless the setting excludes them", () => {
  assert.deepEqual(logsToKeep(undefined), { followed: true, failed: true });
  assert.deepEqual(logsToKeep("followed"), { followed: true, failed: false });
  assert.deepEqual(logsToKeep("never"), { followed: false, failed: false });
});

test("a history server has an HTTP address", () => {
  assert.equal(httpAddressIn(" https://history:18080/base "), "https://history:18080/base");
  assert.equal(httpAddressIn("HTTP://history"), "HTTP://history");
  for (const value of ["file:///etc", "history:18080", "https:///x", "", 7]) {
    assert.equal(httpAddressIn(value), undefined);
  }
});

const error = (kind: ClusterError["kind"]): ClusterError => ({ kind }) as ClusterError;

test("missing permissions are no errors", () => {
  assert.deepEqual(
    (["forbidden", "protected", "conflict"] as const).map((kind) => isRefusal(error(kind))),
    [true, true, false],
  );
});

test("reasons that differ only in names are one", () => {
  const text = (...reasons: readonly string[]): string =>
    inEnglish(failedItemsText("2 of 3 were not killed", reasons));
  assert.equal(
    text('No right in "a".', 'No right in "b".'),
    '2 of 3 were not killed. No right in "b".',
  );
  assert.equal(
    text('No right in "a".', "Not found."),
    '2 of 3 were not killed, for 2 reasons. The first: No right in "a".',
  );
});

test("the button says how many problems there are", () => {
  assert.equal(inEnglish(problemsButton(1)), "Show Log");
  assert.equal(inEnglish(problemsButton(2)), "Show All 2");
});
