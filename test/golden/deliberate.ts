// Lists deliberate differences from recordings with their expected outcomes. Their reasons are in
// src/spark/submit/conf/differences.ts.
import type { DifferenceId } from "../../src/spark/submit/conf/differences.ts";
import {
  caFileOverHttp,
  errorEvent,
  execPlugins,
  kubeconfigFiles,
  remoteFiles,
  retried,
  statusWithoutLabels,
  tokenFile,
  tokenWithNewline,
  uncertainPod,
  undoByUid,
  unresolvedPackages,
  userClaims,
  type Alternative,
  type Recording,
} from "./alternatives.ts";
import { compare, type Outcome } from "./compare.ts";
import type { Golden } from "./caseFiles.ts";

export interface Verdict {
  /** One line for each unexpected difference; empty if the case passes. */
  readonly differences: readonly string[];
  /** Reasons of a deliberate difference; empty if outcome and recording are equal. */
  readonly reasons: readonly DifferenceId[];
}

/**
 * Accepts an outcome that equals the recording, or that exactly matches its deliberate differences. `isAsKnown` returns
 * true for the recording that was known when the differences were decided. Other recordings of the same case fail.
 */
export function judge(
  recording: Recording,
  outcome: Outcome,
  isAsKnown: (recording: Recording) => boolean,
): Verdict {
  const differences = compare(recording.expected, outcome);
  if (differences.length === 0) return { differences, reasons: [] };
  const reasons = reasonsFor(recording, outcome);
  if (reasons.length === 0) return { differences, reasons };
  if (isAsKnown(recording)) return { differences: [], reasons };
  const changed = `this is not the recording for which "${reasons.join(", ")}" was decided`;
  return { differences: [changed, ...differences], reasons: [] };
}

function reasonsFor(recording: Recording, outcome: Outcome): readonly DifferenceId[] {
  const refusal = refusalIn(recording.expected, outcome);
  if (refusal) return [refusal];
  const { expected, names } = alternatives.reduce<{
    expected: Golden;
    names: readonly DifferenceId[];
  }>(
    (so, [name, alternative]) => {
      const instead = alternative({ ...recording, expected: so.expected });
      return instead ? { expected: instead, names: [...so.names, name] } : so;
    },
    { expected: recording.expected, names: [] },
  );
  return names.length > 0 && compare(expected, outcome).length === 0 ? names : [];
}

// Returns the deliberate difference if, for one reason only, our submission stopped before its first request while
// spark-submit continued.
function refusalIn(expected: Golden, outcome: Outcome): DifferenceId | undefined {
  const isRefused = outcome.exitCode === 1 && outcome.requests.every((request) => request.static);
  const wentOn = expected.requests.length > 0 || expected.exitCode !== 1;
  const isForOneReason = outcome.errors.length === 1;
  if (!isRefused || !wentOn || !isForOneReason || outcome.uploads.length > 0) return undefined;
  const [name] = refusals.find(([, pattern]) => pattern.test(outcome.errors[0] ?? "")) ?? [];
  // If spark-submit succeeded, a refused template is a defect, not a deliberate difference.
  return name === "templateList" && expected.exitCode === 0 ? undefined : name;
}

const refusals: readonly (readonly [DifferenceId, RegExp])[] = [
  ["clientMode", /^E-51 /],
  ["masterQuery", /^E-68 /],
  ["lateSettings", /^E-50 spark\.kubernetes\.(?:submission\.waitAppCompletion|report\.interval) /],
  ["templateList", /^E-32 /],
  ["unnamedPod", /^E-62 /],
  ["namespacelessKill", /^no namespace$/],
  ["invalidNames", /"kind":"invalid".*is not a valid (?:name|namespace):/],
  ["brokenKubeconfig", /"kind":"configuration","problem":"invalidKubeconfig"/],
  ["unknownContext", /"kind":"configuration","problem":"noContext"/],
  ["clearTextKill", /"kind":"unreachable","server":"https:/],
];

const alternatives: readonly (readonly [DifferenceId, Alternative])[] = [
  ["userClaims", userClaims],
  ["retried", retried],
  ["uncertainPod", uncertainPod],
  ["undoByUid", undoByUid],
  ["remoteFiles", remoteFiles],
  [
    "uploadsAfterChecks",
    ({ expected }) =>
      expected.exitCode !== 0 && (expected.uploads ?? []).length > 0
        ? { ...expected, uploads: [] }
        : undefined,
  ],
  ["unresolvedPackages", unresolvedPackages],
  ["caFileOverHttp", caFileOverHttp],
  ["tokenWithNewline", tokenWithNewline],
  ["errorEvent", errorEvent],
  ["statusWithoutLabels", statusWithoutLabels],
  ["tokenFile", tokenFile],
  ["kubeconfigFiles", kubeconfigFiles],
  ["execPlugins", execPlugins],
];
