import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { unshownTextsOf } from "./language.ts";
import { readSources, type Source } from "./sources.ts";

/** Folders below src/ in which each user-visible string must be a message. */
const converted = ["base/", "spark/", "engine/"];

/** Files below src/ whose strings are not translated. */
const excepted: ReadonlySet<string> = new Set([
  // Technical details of failures, which are shown next to server messages, and log lines.
  "engine/debug/connectWhenReady.ts",
  "engine/driver/driverProgress.ts",
  "engine/driver/largestNode.ts",
  "engine/driver/podUsages.ts",
  "engine/driver/progressPoller.ts",
  "engine/driver/statusPoller.ts",
  "engine/lifecycle/deletePod.ts",
  "engine/lifecycle/scaleExecutors.ts",
  "engine/logs/failedLogReader.ts",
  "engine/logs/redactedLogs.ts",
  "engine/submit/codeProgram.ts",
  "engine/submit/submittedObject.ts",
  "engine/watch/listWatch.ts",
  "engine/watch/operatedApplications.ts",
  "engine/watch/podSubscription.ts",
  "base/pagedList.ts",
  "spark/submit/code/codeName.ts",
  // Programs that run in pods.
  "engine/lifecycle/decommissionExecutor.ts",
  "spark/submit/code/codeChanged.ts",
  "spark/submit/code/streamContainer.ts",
  "spark/submit/debug/debugWait.ts",
  "spark/submit/debug/jvmWatchdog.ts",
  "spark/submit/debug/pythonPrograms.ts",
  "spark/submit/packages/imagePython.ts",
  "spark/submit/packages/plannedPackages.ts",
  "spark/submit/session/sessionPort.ts",
  "spark/submit/shell/shellScript.ts",
  // Output of spark-submit, word for word.
  "spark/submit/arguments/usageText.ts",
  "spark/submit/arguments/utcDate.ts",
  "spark/submit/arguments/verboseLines.ts",
  "spark/submit/driver/driverConfigMap.ts",
  "spark/submit/plan/podStateText.ts",
  // Text for assistants, which choose the language of their responses.
  "engine/assistant/callTool.ts",
  "engine/assistant/changeTools.ts",
  "engine/assistant/confTool.ts",
  "engine/assistant/explainTool.ts",
  "engine/assistant/findNamedApplication.ts",
  "engine/assistant/lintTool.ts",
  "engine/assistant/listTool.ts",
  "engine/assistant/logTool.ts",
  "engine/assistant/previewTool.ts",
  "engine/assistant/schemas.ts",
  // Command lines for a shell.
  "spark/remedy/clusterCommands.ts",
  "spark/submit/jvm/jvmBuild.ts",
  // Text for developers.
  "spark/submit/conf/differences.ts",
  // Strings that are searched for in other text, or that programs read.
  "spark/eventLog/eventLogReader.ts",
  "spark/eventLog/taskMetrics.ts",
  "spark/keyBlocks.ts",
  "spark/timeline/pendingReason.ts",
  "spark/timeline/plotText.ts",
  "spark/labels.ts",
  "spark/logs/logRecord.ts",
  "spark/logs/traces.ts",
  "spark/submit/code/pythonTokens.ts",
  "spark/submit/code/standardLibrary.ts",
  "spark/submit/jvm/sparkJars.ts",
  "spark/submit/packages/marker.ts",
  "spark/submit/preview/comparableText.ts",
]);

const faultsOf = (source: Source): readonly string[] =>
  unshownTextsOf(source).map(({ place, text }) => `${place} ${text}`);

describe("texts for users", () => {
  test("are messages, so that a translation reaches them", async () => {
    const sources = await readSources("src", ".ts");
    const faults = sources
      .filter(({ path }) => converted.some((start) => path.startsWith(`src/${start}`)))
      .filter(({ path }) => !excepted.has(path.slice("src/".length)))
      .flatMap(faultsOf);
    assert.deepEqual(faults, [], "use msg of src/base/message.ts");
  });

  test("are found outside of messages, and in their values", () => {
    const text = [
      'const a = "no free node";',
      "const b = `exit code ${code}`;",
      'const c = msg("no free node");',
      'const d = msg`${isHeld ? "held by a queue" : msg("no node yet")} now`;',
      'const e: "no such type" = fail(new Error("no such case"));',
      'if (includesAny(told, "too many pods")) f("spark.executor.cores");',
    ].join("\n");
    assert.deepEqual(faultsOf({ path: "a.ts", text }), [
      "a.ts:1 no free node",
      "a.ts:2 exit code {}",
      "a.ts:4 held by a queue",
    ]);
  });
});

const codesOf = ({ text }: Source): readonly string[] =>
  [...text.matchAll(/\b(?:error|warning|finding)\(\s*"([EW]-\d+[a-z]?)"/g)].map(
    ([, code = ""]) => code,
  );

test("each code of a finding stands for one error or warning", async () => {
  const codes = (await readSources("src", ".ts")).flatMap(codesOf);
  assert.ok(codes.length > 80);
  assert.deepEqual(
    codes.filter((code, index) => codes.indexOf(code) !== index),
    [],
  );
});
