// Runs our submission against the recorder for one case and one Spark version, with an accelerated clock.
import { inEnglish } from "../../src/base/message.ts";
import { copyFileSync, mkdirSync, statSync } from "node:fs";
import { get } from "node:http";
import { dirname, relative, resolve } from "node:path";
import { err, ok, type Result } from "../../src/base/result.ts";
import type { StoredObject } from "../../src/engine/ports/objects.ts";
import type { UploadTarget } from "../../src/engine/ports/files.ts";
import { followDriver } from "../../src/engine/submit/followDriver.ts";
import { sendNoCode } from "../../src/engine/submit/sendCode.ts";
import { submitPlan } from "../../src/engine/submit/submitPlan.ts";
import type { DriverIdentity } from "../../src/spark/submit/driver/driverSpec.ts";
import type { DriverQuery } from "../../src/spark/submit/plan/driverQuery.ts";
import { isJsonObject, type Json, type JsonObject } from "../../src/base/json.ts";
import { containerStateLines, podStateLines } from "../../src/spark/submit/plan/podStateText.ts";
import { parseSubmission } from "../../src/spark/submit/plan/parsedSubmission.ts";
import { planSubmission } from "../../src/spark/submit/plan/prepareSubmission.ts";
import { resolveCommand } from "../../src/spark/submit/plan/resolveCommand.ts";
import { addressesToFetch } from "../../src/spark/submit/plan/resolveSubmission.ts";
import type { SubmissionFinding } from "../../src/spark/submit/plan/submissionFinding.ts";
import type { SubmissionPlan } from "../../src/spark/submit/plan/submissionPlan.ts";
import { findDrivers, killDrivers } from "../../src/engine/submit/submitQuery.ts";
import type { SubmissionInput } from "../../src/spark/submit/plan/submissionInput.ts";
import type { SubmissionEnvironment } from "../../src/spark/submit/conf/environment.ts";
import { localDisk } from "../../src/storage/localDisk.ts";
import type { GoldenCase, GoldenRequest } from "./caseFiles.ts";
import { connectCase } from "./caseConnection.ts";
import type { Outcome } from "./compare.ts";
import { blank, createPlayground, mapTexts, type Playground } from "./playground.ts";
import { quickClock } from "./quickClock.ts";
import { RequestedPods } from "./requestedPods.ts";
import type { Ports, RecordedRequest, Recorder } from "./recorder.ts";

const now = Date.UTC(2026, 0, 1, 12);
const deadlineMs = 20_000;

export async function runCase(
  golden: GoldenCase,
  version: string,
  recorder: Recorder,
  ports: Ports,
): Promise<Outcome> {
  const playground = createPlayground(golden, ports);
  try {
    recorder.reset(golden.recorder);
    const result = await run(golden, version, playground, AbortSignal.timeout(deadlineMs));
    const tidy = (text: string): string => blank(text, playground, ports, now, result.identity);
    return {
      exitCode: result.exitCode,
      errors: result.errors.map(tidy),
      output: result.output.map(tidy),
      requests: recorder.requests.map((request) => toGolden(request, tidy)),
      uploads: result.uploads.map(({ path, size }) => ({ path: tidy(path), size })),
    };
  } finally {
    playground.dispose();
  }
}

interface Run {
  readonly exitCode: number;
  readonly errors: readonly string[];
  readonly identity: DriverIdentity | undefined;
  readonly uploads: readonly { readonly path: string; readonly size: number }[];
  /** Output lines with the state of pods. */
  readonly output: readonly string[];
}

const nothing: Run = { exitCode: 0, errors: [], identity: undefined, uploads: [], output: [] };

const failed = (error: unknown): Run => ({
  ...nothing,
  exitCode: 1,
  errors: [typeof error === "string" ? error : JSON.stringify(error)],
});

const refused = (findings: readonly SubmissionFinding[]): Run => ({
  ...failed(""),
  errors: findings
    .filter(({ severity }) => severity === "error")
    .map(({ code, key = "", message }) => `${code} ${key} ${inEnglish(message)}`),
});

async function run(
  golden: GoldenCase,
  version: string,
  playground: Playground,
  signal: AbortSignal,
): Promise<Run> {
  const { workingDirectory } = playground;
  const input: SubmissionInput = {
    kind: "tokens",
    sparkVersion: version,
    tokens: golden.argv.map((token) => playground.fill(token)),
  };
  const environment = {
    HOME: `${workingDirectory}/home`,
    ...Object.fromEntries(
      Object.entries(golden.env).map(([key, value]) => [key, playground.fill(value)]),
    ),
  };
  const local: SubmissionEnvironment = {
    environment,
    workingDirectory,
    userName: "${USER}",
    now,
    randomBytes: countingBytes(),
    files: localDisk,
  };
  const command = resolveCommand(parseSubmission(input), local);
  if (!command.ok) return refused(command.error);
  switch (command.value.kind) {
    case "version":
      return nothing;
    case "usage":
      return { ...nothing, exitCode: command.value.exitCode, errors: ["usage"] };
    case "submit": {
      const { resolved } = command.value;
      const texts = addressesToFetch(resolved).map(
        async ({ value: address }) => [address, await fetchText(address)] as const,
      );
      const plan = planSubmission(resolved, { fetched: new Map(await Promise.all(texts)) });
      return plan.ok
        ? submit(plan.value, environment, workingDirectory, signal)
        : refused(plan.error);
    }
    case "kill":
    case "status":
      return ask(command.value.kind, command.value.query, environment, signal);
  }
}

async function submit(
  plan: SubmissionPlan,
  environment: Readonly<Record<string, string>>,
  workingDirectory: string,
  signal: AbortSignal,
): Promise<Run> {
  const { identity, access, follow } = plan;
  const clock = quickClock(now);
  const connected = await connectCase(access, environment, clock, signal);
  if (!connected.ok) return failed(connected.error);
  const connection = connected.value;
  const { objects } = connection;
  const uploads: { path: string; size: number }[] = [];
  try {
    const ports = {
      objects,
      uploads: copying(workingDirectory, uploads),
      clock,
      sendCode: sendNoCode,
    };
    const submitted = await submitPlan(plan, ports, signal);
    if (!submitted.ok) return { ...failed(submitted.error), identity, uploads };
    if (follow.kind === "none") return { ...nothing, identity, uploads };
    const output: string[] = [];
    const watched = new RequestedPods(identity, connection, clock);
    const end = await followDriver(
      identity,
      { objects, pods: watched, clock, random: () => 0 },
      follow.reportIntervalMs,
      (report) => {
        if (report.kind === "state") output.push(...stateLines(watched.bodyOf(report.pod)));
      },
      signal,
    ).finally(() => {
      watched.running.dispose();
    });
    await watched.running.done;
    if (!end.ok) return { ...failed(end.error), identity, uploads };
    const last = end.value.kind === "gone" ? end.value.last : end.value.pod;
    const final = last === undefined ? [] : finalLines(watched.bodyOf(last));
    return { ...nothing, identity, uploads, output: [...output, ...final] };
  } finally {
    connection.dispose();
  }
}

async function ask(
  kind: "kill" | "status",
  query: DriverQuery,
  environment: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Run> {
  const clock = quickClock(now);
  const connected = await connectCase(query.access, environment, clock, signal);
  if (!connected.ok) return failed(connected.error);
  const connection = connected.value;
  const ports = { objects: connection.objects, clock };
  try {
    const namespace = query.namespace ?? connection.contextNamespace;
    if (namespace === undefined) return failed("no namespace");
    if (kind === "kill") {
      const killed = await killDrivers(query, namespace, ports, undefined, signal);
      return killed.ok ? nothing : failed(killed.error);
    }
    const found = await findDrivers(query, namespace, ports, signal);
    return found.ok ? { ...nothing, output: found.value.flatMap(stateLines) } : failed(found.error);
  } finally {
    connection.dispose();
  }
}

function stateLines(pod: StoredObject): readonly string[] {
  return podStateLines(asJson(pod.body));
}

function finalLines(pod: StoredObject): readonly string[] {
  return containerStateLines(asJson(pod.body), 1);
}

// The cast is safe, because the body was parsed from JSON.
function asJson(body: unknown): JsonObject {
  const json = body as Json;
  return isJsonObject(json) ? json : {};
}

// Copies to the target's path without decoding it, like Spark. Recordings upload only to `up`, so nothing is written
// outside the folder of the case.
function copying(root: string, done: { path: string; size: number }[]): UploadTarget {
  return {
    copy: (upload) => {
      const { path, target } = upload;
      if (/^(?!file:)[a-z0-9+.-]+:/i.test(target)) {
        return Promise.resolve(err({ upload, detail: "only files here" }));
      }
      const file = resolve(root, target.replace(/^file:(\/\/(?=\/))?/i, ""));
      const place = relative(root, file);
      if (place.startsWith("..")) return Promise.resolve(ok(undefined));
      try {
        mkdirSync(dirname(file), { recursive: true });
      } catch (error) {
        return Promise.resolve(err({ upload, detail: String(error) }));
      }
      copyFileSync(path, file);
      if (place.startsWith("up/")) done.push({ path: place, size: statSync(file).size });
      return Promise.resolve(ok(undefined));
    },
  };
}

function fetchText(address: string): Promise<Result<string, string>> {
  return new Promise((resolve) => {
    get(address, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        resolve(response.statusCode === 200 ? ok(text) : err(`${response.statusCode}`));
      });
    }).on("error", () => {
      resolve(err("no answer"));
    });
  });
}

// Returns different bytes at each call, but the same sequence in each run.
function countingBytes(): (count: number) => Uint8Array {
  let calls = 0;
  return (count) => {
    calls++;
    return Uint8Array.from({ length: count }, (_, index) => (calls * 37 + index * 101 + 11) % 256);
  };
}

function toGolden(request: RecordedRequest, tidy: (text: string) => string): GoldenRequest {
  const { method, path, contentType, authorization, body, isStatic, status } = request;
  return {
    method,
    path: tidy(path),
    status: status ?? "connection closed",
    ...(contentType === undefined ? {} : { contentType }),
    ...(authorization === undefined ? {} : { authorization }),
    ...(body === undefined ? {} : { body: mapTexts(body, tidy) }),
    ...(isStatic ? { static: true } : {}),
  };
}
