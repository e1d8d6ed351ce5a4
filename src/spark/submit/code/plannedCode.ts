import { fileUri } from "../arguments/uri.ts";
import type { DriverContext } from "../driver/driverSpec.ts";
import { problems } from "../plan/problems.ts";
import type { SubmissionFinding } from "../plan/submissionFinding.ts";
import { chooseDelivery, fitsConfigMap, type ChosenDelivery } from "./chooseDelivery.ts";
import { codeDirectory, type SentCode, type SentFile } from "./sentCode.ts";

/** The sent files of a submission and their delivery. */
export interface PlannedCode extends SentCode {
  readonly delivery: ChosenDelivery;
  readonly findings: readonly SubmissionFinding[];
}

/** Chooses how the collected files reach the driver, and checks them. Undefined if nothing is sent. */
export function plannedCode({ parts: { code } }: DriverContext): PlannedCode | undefined {
  if (code === undefined || code.sent.files.length === 0) return undefined;
  const { sent, choice } = code;
  const delivery = chooseDelivery(sent, choice);
  const isTooLarge = delivery.kind === "configMap" && !fitsConfigMap(sent.files);
  const secrets = sent.leftOut.filter(({ reason }) => reason === "secret");
  const findings = [
    ...(isTooLarge ? [problems.codeTooLarge(sent.files)] : []),
    ...(secrets.length > 0 ? [problems.secretsLeftOut(secrets.map(({ path }) => path))] : []),
  ];
  return { ...sent, delivery, findings };
}

/** Returns the URI of a sent file in the driver. Spark serves the driver's `file:` entries to the executors. */
export const driverUri = ({ name }: Pick<SentFile, "name">): string =>
  fileUri(`${codeDirectory}/${name}`);
