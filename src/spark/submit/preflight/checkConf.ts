import { toSparkVersion } from "../../conf/catalogue/sparkVersions.ts";
import { settingProblems } from "../../conf/lint/settingProblems.ts";
import type { SubmissionPlan } from "../plan/submissionPlan.ts";
import { preflightWords, type PreflightFinding } from "./preflightFinding.ts";

/** Checks the keys and the values of the settings that the user wrote. */
export function checkConf({ conf, sparkVersion }: SubmissionPlan): readonly PreflightFinding[] {
  const version = toSparkVersion(sparkVersion);
  if (version === undefined) return [];
  return settingProblems(writtenSettings(conf), version).map(({ key, isUnknown, message }) =>
    isUnknown ? preflightWords.unknownKey(message, key) : preflightWords.invalidValue(message, key),
  );
}

/** Returns the settings of a submission that the user wrote. */
export const writtenSettings = (
  conf: SubmissionPlan["conf"],
): readonly (readonly [key: string, value: string])[] =>
  [...conf].flatMap(([key, { value, origin }]) =>
    origin.kind === "computed" ? [] : [[key, value] as const],
  );
