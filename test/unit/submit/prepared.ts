// Prepares submissions in memory: no disk, a fixed time, deterministic bytes.
import { inEnglish } from "../../../src/base/message.ts";
import { parseJavaProperties } from "../../../src/spark/conf/parse/properties.ts";
import type { LocalFiles } from "../../../src/spark/submit/conf/localFiles.ts";
import {
  isJsonObject,
  listAt,
  objectAt,
  type Json,
  type JsonObject,
} from "../../../src/base/json.ts";
import { ok, type Result } from "../../../src/base/result.ts";
import type { CodeCollector } from "../../../src/engine/ports/files.ts";
import type {
  CodeToDeliver,
  SubmissionEnvironment,
  SubmissionParts,
} from "../../../src/spark/submit/conf/environment.ts";
import type { Manifest } from "../../../src/spark/submit/plan/manifest.ts";
import {
  parseSubmission,
  type ParsedSubmission,
} from "../../../src/spark/submit/plan/parsedSubmission.ts";
import {
  planSubmission,
  prepareSubmission,
} from "../../../src/spark/submit/plan/prepareSubmission.ts";
import { resolveCommand } from "../../../src/spark/submit/plan/resolveCommand.ts";
import {
  resolveSubmission,
  type ResolvedSubmission,
} from "../../../src/spark/submit/plan/resolveSubmission.ts";
import type { SubmissionFinding } from "../../../src/spark/submit/plan/submissionFinding.ts";
import type { SubmissionPlan } from "../../../src/spark/submit/plan/submissionPlan.ts";

export interface Place {
  readonly version?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** The text of each file by absolute path; the working directory is `/cwd`. */
  readonly files?: Readonly<Record<string, string>>;
  /** The files that were collected from the workspace. */
  readonly code?: CodeToDeliver;
}

export const base = [
  "--master",
  "k8s://https://h:6443",
  "--deploy-mode",
  "cluster",
  "--name",
  "Spark Pi",
  "--class",
  "org.example.Main",
  "--conf",
  "spark.kubernetes.container.image=img:1",
  "--conf",
  "spark.kubernetes.submission.waitAppCompletion=false",
] as const;

/** Returns the minimal command line with more options before its jar. */
export const withOptions = (...options: readonly string[]): readonly string[] => [
  ...base,
  ...options,
  "local:///opt/a.jar",
  "10",
];

export const conf = (...pairs: readonly string[]): readonly string[] =>
  pairs.flatMap((pair) => ["--conf", pair]);

export function planOf(tokens: readonly string[], place: Place = {}): SubmissionPlan {
  const result = prepare(tokens, place);
  if (!result.ok) throw new Error(result.error.map(({ message }) => inEnglish(message)).join("\n"));
  return result.value;
}

/** Plans a command line. `parts` is added to the code of `place`. */
export const prepare = (
  tokens: readonly string[],
  place: Place = {},
  parts: SubmissionParts = {},
): ReturnType<typeof prepareSubmission> =>
  prepareSubmission(parse(tokens, place), submissionEnvironmentOf(place), {
    code: place.code,
    ...parts,
  });

/** Like `prepare`, but also supports actions such as `--kill`. */
export function prepareAction(
  tokens: readonly string[],
  place: Place = {},
): Result<unknown, readonly SubmissionFinding[]> {
  const command = resolveCommand(parse(tokens, place), submissionEnvironmentOf(place));
  return command.ok && command.value.kind === "submit"
    ? planSubmission(command.value.resolved, { code: place.code })
    : command;
}

/** Returns the submission of a command line; throws if the command line is invalid. */
export function resolve(tokens: readonly string[], place: Place = {}): ResolvedSubmission {
  const resolved = resolveSubmission(parse(tokens, place), submissionEnvironmentOf(place));
  if (!resolved.ok) throw new Error(JSON.stringify(resolved.error));
  return resolved.value;
}

const parse = (tokens: readonly string[], { version = "4.2.1" }: Place): ParsedSubmission =>
  parseSubmission({ kind: "tokens", sparkVersion: version, tokens });

/** Returns the error codes of a submission; empty if it would be sent. */
export const errorsOf = (tokens: readonly string[], place: Place = {}): readonly string[] =>
  findErrors(tokens, place).map(({ code }) => code);

export function findErrors(
  tokens: readonly string[],
  place: Place = {},
): readonly SubmissionFinding[] {
  const result = prepare(tokens, place);
  if (result.ok) return [];
  return result.error.filter(({ severity }) => severity === "error");
}

/** Finds no files to send. */
export const sendNothing: CodeCollector["collect"] = () =>
  Promise.resolve(ok({ files: [], leftOut: [] }));

export function submissionEnvironmentOf({
  environment = {},
  files = {},
}: Place): SubmissionEnvironment {
  let calls = 0;
  return {
    environment: { SPARK_USER: "u", ...environment },
    workingDirectory: "/cwd",
    userName: "os-user",
    now: Date.UTC(2026, 0, 1),
    randomBytes: (count) => new Uint8Array(count).fill(++calls),
    files: memoryFiles(files),
  };
}

export function manifestOf(plan: SubmissionPlan, kind: string): Manifest {
  const write = plan.writes.find(({ manifest }) => manifest.kind === kind);
  if (write === undefined) throw new Error(`no ${kind}`);
  return write.manifest;
}

export function kindsOf(plan: SubmissionPlan): readonly string[] {
  return plan.writes.map(({ manifest }) => manifest.kind);
}

/** Returns the pod's spec and Spark's container, which is the last one. */
export function podOf(plan: SubmissionPlan): {
  readonly spec: JsonObject;
  readonly container: JsonObject;
} {
  const spec = asObject(manifestOf(plan, "Pod")["spec"]);
  return { spec, container: asObject(listAt(spec, "containers").at(-1)) };
}

export function memoryOf(plan: SubmissionPlan): Json | undefined {
  return objectAt(objectAt(podOf(plan).container, "resources"), "limits")["memory"];
}

export function envOf(plan: SubmissionPlan): ReadonlyMap<string, Json | undefined> {
  const env = listAt(podOf(plan).container, "env").map(asObject);
  return new Map(env.map(({ name, value, valueFrom }) => [textOf(name), value ?? valueFrom]));
}

/** Returns the driver's `spark.properties`. */
export function propertiesOf(plan: SubmissionPlan): ReadonlyMap<string, string> {
  const map = plan.writes.map(({ manifest }) => manifest).at(-1);
  const text = asObject(map?.["data"])["spark.properties"];
  return new Map(parseJavaProperties(textOf(text)));
}

function textOf(value: Json | undefined): string {
  if (typeof value !== "string") throw new Error("not a text");
  return value;
}

function asObject(value: unknown): JsonObject {
  const json = value as Json | undefined;
  if (!isJsonObject(json)) throw new Error("not an object");
  return json;
}

function memoryFiles(texts: Readonly<Record<string, string>>): LocalFiles {
  const isDirectory = (path: string): boolean =>
    Object.keys(texts).some((file) => file.startsWith(`${path}/`));
  const read = (path: string): string | undefined => texts[path];
  return {
    kind: (path) =>
      read(path) === undefined ? (isDirectory(path) ? "directory" : undefined) : "file",
    text: (path) => {
      const text = read(path);
      return text === undefined
        ? undefined
        : { text, isUtf8: !text.includes("\ufffd"), byteLength: Buffer.byteLength(text) };
    },
    base64: (path) => {
      const text = read(path);
      return text === undefined ? undefined : Buffer.from(text).toString("base64");
    },
    names: (directory) => [
      ...new Set(
        Object.keys(texts)
          .filter((file) => file.startsWith(`${directory}/`))
          .map((file) => file.slice(directory.length + 1).split("/")[0] ?? ""),
      ),
    ],
    canonical: (path) => new URL(path, "file:///").pathname,
    zipText: () => undefined,
  };
}
