import { randomBytes } from "node:crypto";
import type { Connection } from "../../engine/ports.ts";
import { submitPlan, type Submitted } from "../../engine/submitPlan.ts";
import { systemClock } from "../../engine/systemClock.ts";
import type { LocalFiles } from "../../spark/submit/localFiles.ts";
import { prepareSubmission } from "../../spark/submit/prepareSubmission.ts";

/** Submits what needs no file and no variable of this machine; throws why it could not be. */
export async function submitTokens(
  { objects }: Connection,
  sparkVersion: string,
  tokens: readonly string[],
  userName: string,
): Promise<Submitted> {
  const plan = prepareSubmission(
    { kind: "tokens", sparkVersion, tokens },
    {
      environment: {},
      workingDirectory: "/",
      userName,
      now: Date.now(),
      randomBytes,
      files: nothing,
      fetched: new Map(),
    },
  );
  if (!plan.ok) throw new Error(plan.error.map(({ message }) => message).join("\n"));
  const uploads = { copy: () => Promise.reject(new Error("nothing is uploaded")) };
  const submitted = await submitPlan(
    plan.value,
    { objects, uploads, clock: systemClock },
    AbortSignal.timeout(60_000),
  );
  if (!submitted.ok) throw new Error(JSON.stringify(submitted.error));
  return submitted.value;
}

const nothing: LocalFiles = {
  kind: () => undefined,
  text: () => undefined,
  base64: () => undefined,
  names: () => [],
  canonical: (path) => path,
  zipText: () => undefined,
};
