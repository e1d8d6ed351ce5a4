// Reads recordings: a folder for each case, with `case.json` and one file for each Spark version.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface FailRule {
  readonly method?: string;
  readonly resource?: string;
  readonly name?: string;
  readonly times?: number;
  readonly after?: number;
  readonly code: number;
  readonly reason?: string;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly drop?: boolean;
}

export interface PodStep {
  readonly delay?: number;
  readonly phase?: string;
  readonly status?: Record<string, unknown>;
  readonly metadata?: Record<string, unknown>;
  readonly event?: string;
}

/** Options of the simulated API server: injected failures, existing objects, and the life of the driver pod. */
export interface Options {
  readonly fail?: readonly FailRule[];
  readonly objects?: readonly Record<string, unknown>[];
  readonly pod?: readonly PodStep[];
  readonly static?: Readonly<Record<string, string>>;
}

export type FileSource =
  string | { readonly b64: string } | { readonly fill: string; readonly size: number };

export interface GoldenCase {
  readonly id: string;
  /** Reads the file that a string value of `files` names. */
  read(file: string): Buffer;
  recording(version: string): Golden;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, FileSource>>;
  readonly recorder: Options;
  /** The Spark versions for which the case was recorded. */
  readonly versions: readonly string[];
}

export interface GoldenRequest {
  readonly method: string;
  readonly path: string;
  readonly contentType?: string;
  readonly authorization?: string;
  readonly upgrade?: string;
  readonly body?: unknown;
  readonly status?: number | "connection closed";
  readonly static?: boolean;
}

export interface Golden {
  readonly exitCode: number;
  readonly error?: string;
  /** Output of spark-submit. Absent in packed recordings, which keep only requests and results. */
  readonly stdout?: readonly string[];
  readonly stderr?: readonly string[];
  readonly requests: readonly GoldenRequest[];
  readonly sparkProperties?: Readonly<Record<string, string>>;
  readonly uploads?: readonly { readonly path: string; readonly size: number }[];
}

const versionFile = /^(\d+\.\d+\.\d+)\.json$/;

export function readCases(root: string): readonly GoldenCase[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(root, name))
    .sort()
    .map((folder) => {
      // The recorder wrote this file, so its type is known.
      const document = readJson(join(folder, "case.json")) as Partial<GoldenCase>;
      return {
        id: document.id ?? "",
        read: (file) => readFileSync(join(folder, file)),
        recording: (version) => readJson(join(folder, `${version}.json`)) as Golden,
        argv: document.argv ?? [],
        env: document.env ?? {},
        files: document.files ?? {},
        recorder: document.recorder ?? {},
        versions: readdirSync(folder).flatMap((file) => versionFile.exec(file)?.[1] ?? []),
      };
    });
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}
