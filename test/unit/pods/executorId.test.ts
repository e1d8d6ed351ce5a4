import assert from "node:assert/strict";
import { test } from "node:test";
import { executorIdOf, readExecutorId } from "../../../src/spark/pods/executorId.ts";
import { podFixture } from "./podFixture.ts";

const idOf = (label: string | undefined): number | undefined =>
  executorIdOf(podFixture({ labels: label === undefined ? {} : { "spark-exec-id": label } }));

test("parses executor ids like Long.parseLong, also beyond the fast path", () => {
  const cases: readonly (readonly [string | undefined, number | undefined])[] = [
    [undefined, undefined],
    ["", undefined],
    ["EXECID", undefined],
    ["7", 7],
    ["007", 7],
    ["+7", 7],
    ["-7", -7],
    ["٣", 3],
    ["7 ", undefined],
    ["7a", undefined],
    ["999999999999999", 999_999_999_999_999],
    ["1000000000000000", 1_000_000_000_000_000],
    ["9007199254740993", Number(2n ** 53n + 1n)],
    // A digit outside the Basic Multilingual Plane has two UTF-16 code units.
    ["𝟕", undefined],
    ["/", undefined],
    [":", undefined],
    ["9223372036854775807", 2 ** 63],
    ["9223372036854775808", undefined],
    ["-9223372036854775809", undefined],
  ];
  for (const [label, id] of cases) assert.equal(idOf(label), id, label);
  assert.equal(readExecutorId("-9223372036854775808"), -(2n ** 63n));
});
