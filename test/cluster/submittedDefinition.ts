import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { inEnglish } from "../../src/base/message.ts";
import type { Fields } from "../../src/base/json.ts";
import { collectCode } from "../../src/editor/submit/collectCode.ts";
import type { Connection } from "../../src/engine/ports/connection.ts";
import { sendCode } from "../../src/engine/submit/sendCode.ts";
import { submitPlan } from "../../src/engine/submit/submitPlan.ts";
import { systemClock } from "../../src/engine/systemClock.ts";
import { decodePod } from "../../src/spark/pods/decodePod.ts";
import type { PodRecord } from "../../src/spark/pods/podRecord.ts";
import { parseSubmission } from "../../src/spark/submit/plan/parsedSubmission.ts";
import { planSubmission } from "../../src/spark/submit/plan/prepareSubmission.ts";
import { resolveSubmission } from "../../src/spark/submit/plan/resolveSubmission.ts";
import type { SubmissionFinding } from "../../src/spark/submit/plan/submissionFinding.ts";
import {
  decodeRunProfile,
  profileToSubmission,
} from "../../src/spark/submit/profile/runProfile.ts";
import { sessionProfile } from "../../src/spark/submit/session/sessionProfile.ts";
import { codeCollector, localDisk } from "../../src/storage/door.ts";
import { projectRoot } from "../host/places.ts";

export const sessionProgram = join(projectRoot, "media/session/hold_session.py");

/** Submits a session as the editor does. Returns its driver pod. */
export async function startTestSession(
  connection: Connection,
  base: Fields,
  idleMinutes: number,
): Promise<PodRecord> {
  const settings = { program: sessionProgram, name: "session", idleMinutes };
  const made = sessionProfile(base, settings);
  if (!made.ok) throw new Error(made.error.kind);
  return submitDefinition(connection, made.value);
}

/** Submits a definition with its local files as the editor does. Returns its driver pod. */
export async function submitDefinition(
  { objects, exec }: Connection,
  definition: Fields,
): Promise<PodRecord> {
  const { value: profile } = decodeRunProfile(definition);
  const submission = parseSubmission(
    profileToSubmission(profile, {
      master: "https://kubernetes.default.svc",
      namespace: undefined,
      context: undefined,
      sparkVersion: "",
    }),
  );
  const submissionEnvironment = {
    environment: {},
    workingDirectory: "/",
    userName: "tester",
    now: Date.now(),
    randomBytes,
    files: localDisk,
  };
  const signal = AbortSignal.timeout(60_000);
  const resolved = resolveSubmission(submission, submissionEnvironment);
  if (!resolved.ok) throw new Error(wordsOf(resolved.error));
  const code = await collectCode(resolved.value, profile, codeCollector.collect, signal);
  if (!code.ok) throw new Error(wordsOf(code.error));
  const { shell } = profile;
  const plan = planSubmission(resolved.value, { code: code.value, shell });
  if (!plan.ok) throw new Error(wordsOf(plan.error));
  const uploads = { copy: () => Promise.reject(new Error("nothing is uploaded")) };
  const sendPorts = { objects, exec, collector: codeCollector, clock: systemClock };
  const reports = { waiting: () => undefined, sent: () => undefined };
  const submitted = await submitPlan(
    plan.value,
    {
      objects,
      uploads,
      clock: systemClock,
      sendCode: (pod, files, until) => sendCode(pod, files, sendPorts, reports, until),
    },
    signal,
  );
  if (!submitted.ok) throw new Error(JSON.stringify(submitted.error));
  const driver = decodePod(submitted.value.driverPod.body);
  if (driver === undefined) throw new Error("the server's answer is no pod");
  return driver;
}

const wordsOf = (findings: readonly SubmissionFinding[]): string =>
  findings.map(({ message }) => inEnglish(message)).join("\n");
