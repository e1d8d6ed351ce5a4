import { inEnglish } from "../../base/message.ts";
import { randomBytes } from "node:crypto";
import type { Connection } from "../../engine/ports/connection.ts";
import { sendNoCode } from "../../engine/submit/sendCode.ts";
import { submitPlan, type Submitted } from "../../engine/submit/submitPlan.ts";
import { systemClock } from "../../engine/systemClock.ts";
import type { LocalFiles } from "../../spark/submit/conf/localFiles.ts";
import { parseSubmission } from "../../spark/submit/plan/parsedSubmission.ts";
import { prepareSubmission } from "../../spark/submit/plan/prepareSubmission.ts";

/**
 * Submits an application with spark-submit arguments that need no local file or environment variable. Throws if the
 * submission fails.
 */
export async function submitTokens(
  { objects }: Connection,
  sparkVersion: string,
  tokens: readonly string[],
  userName: string,
): Promise<Submitted> {
  const plan = prepareSubmission(parseSubmission({ kind: "tokens", sparkVersion, tokens }), {
    environment: {},
    workingDirectory: "/",
    userName,
    now: Date.now(),
    randomBytes,
    files: noFiles,
  });
  if (!plan.ok) throw new Error(plan.error.map(({ message }) => inEnglish(message)).join("\n"));
  const uploads = { copy: () => Promise.reject(new Error("nothing is uploaded")) };
  const submitted = await submitPlan(
    plan.value,
    { objects, uploads, clock: systemClock, sendCode: sendNoCode },
    AbortSignal.timeout(60_000),
  );
  if (!submitted.ok) throw new Error(JSON.stringify(submitted.error));
  return submitted.value;
}

const noFiles: LocalFiles = {
  kind: () => undefined,
  text: () => undefined,
  base64: () => undefined,
  names: () => [],
  canonical: (path) => path,
  zipText: () => undefined,
};
