import assert from "node:assert/strict";
import { test } from "node:test";
import { inEnglish, verbatim } from "../../../src/base/message.ts";
import { sendFailureWords } from "../../../src/editor/submit/sendFailureWords.ts";
import { resendWords } from "../../../src/editor/submit/deliveryWords.ts";
import type { SentFile } from "../../../src/spark/submit/code/sentCode.ts";

test("says how to send only changed files when a large stream begins", () => {
  const file = (size: number): SentFile => ({ size }) as SentFile;
  const words = (size: number, kind: "stream" | "configMap" = "stream"): string => {
    const advice = resendWords({ files: [file(size)], delivery: { kind, reason: "large" } });
    return advice === undefined ? "" : inEnglish(advice);
  };
  assert.match(words(300 << 20), /spark\.kubernetes\.file\.upload\.path/);
  assert.equal(words(1 << 20), "");
  assert.equal(words(300 << 20, "configMap"), "");
});

test("ends the message of a failed transfer with one period", () => {
  const words = (detail: string): string =>
    inEnglish(
      sendFailureWords(
        { kind: "podEnded", detail: verbatim(detail) },
        { explainClusterError: () => "" },
      ),
    );
  for (const detail of ["the pod is being deleted", "the pod is being deleted."]) {
    assert.match(words(detail), /Message: the pod is being deleted\.$/);
  }
});
