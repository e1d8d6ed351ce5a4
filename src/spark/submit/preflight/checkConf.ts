import { toSparkVersion } from "../../conf/catalogue/sparkVersions.ts";
import { settingProblems, type SettingProblem } from "../../conf/lint/settingProblems.ts";
import type { SubmissionPlan } from "../plan/submissionPlan.ts";
import { preflightWords, type PreflightFinding } from "./preflightFinding.ts";

/** Checks the keys and values of the conf entries that the user set, not those that were computed. */
export const checkConf = (plan: SubmissionPlan): readonly PreflightFinding[] =>
  problemsOfConf(plan).map(({ key, isUnknown, message }) =>
    isUnknown ? preflightWords.unknownKey(message, key) : preflightWords.invalidValue(message, key),
  );

/** Returns the problems of the conf entries that the user set. Empty if the Spark version is unknown. */
export function problemsOfConf({ conf, sparkVersion }: SubmissionPlan): readonly SettingProblem[] {
  const version = toSparkVersion(sparkVersion);
  if (version === undefined) return [];
  const written = [...conf].filter(([, { origin }]) => origin.kind !== "computed");
  return settingProblems(
    written.map(([key, { value }]) => [key, value]),
    version,
  );
}
