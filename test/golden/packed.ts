// Reads and writes the packed recordings in the repository. A case has its command line, files and server options. Each
// version has the requests, properties, uploads and exit code. The output of spark-submit is omitted, and a failure
// keeps only its kind.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseJavaProperties } from "../../src/spark/conf/parse/properties.ts";
import {
  isRecord,
  type FileSource,
  type Golden,
  type GoldenCase,
  type GoldenRequest,
} from "./caseFiles.ts";
import { sortKeys } from "./canonical.ts";
import { failureKind } from "./failureKind.ts";
import { editsBetween, withEdits, type Edit } from "./patch.ts";

export const packedFile = fileURLToPath(new URL("recordings.jsonl", import.meta.url));

/** One line of the file. Text files of a case are stored as `{ text }`. */
interface PackedCase {
  readonly id: string;
  readonly argv: readonly string[];
  readonly env: GoldenCase["env"];
  readonly files: Readonly<Record<string, PackedFile>>;
  readonly recorder: GoldenCase["recorder"];
  readonly versions: readonly PackedRecording[];
}

type PackedFile = Exclude<FileSource, string> | { readonly text: string };

interface PackedRecording {
  readonly version: string;
  /**
   * The base of the edits. "plain": the same version of the first case. "before": the previous version of this case.
   * "alike": "plain" with the edits that the previous version of this case has against it.
   */
  readonly from: "nothing" | "plain" | "before" | "alike";
  readonly edits: readonly Edit[];
}

export function pack(cases: readonly GoldenCase[]): void {
  const [plain] = cases;
  const lines = cases.map((golden) => JSON.stringify(packCase(golden, plain)));
  writeFileSync(packedFile, lines.map((line) => `${line}\n`).join(""));
}

export function readPacked(): readonly GoldenCase[] {
  if (!existsSync(packedFile)) return [];
  const cases: GoldenCase[] = [];
  for (const line of readFileSync(packedFile, "utf8").split("\n").slice(0, -1)) {
    // The file is part of the repository, so the type of its lines is known.
    cases.push(unpackCase(JSON.parse(line) as PackedCase, cases[0]));
  }
  return cases;
}

function packCase(golden: GoldenCase, plain: GoldenCase | undefined): PackedCase {
  const files = Object.entries(golden.files).map(
    ([path, source]): readonly [string, PackedFile] => {
      if (typeof source !== "string") return [path, source];
      const bytes = golden.read(source);
      const text = bytes.toString("utf8");
      return Buffer.from(text).equals(bytes)
        ? [path, { text }]
        : [path, { b64: bytes.toString("base64") }];
    },
  );
  let before: unknown;
  let change: readonly Edit[] | undefined;
  const versions = golden.versions.map((version): PackedRecording => {
    const recording = compact(golden.recording(version));
    const base = plain === undefined || plain.id === golden.id ? undefined : plain;
    const plainOne = base && compact(base.recording(version));
    const plainEdits = plainOne && editsBetween(plainOne, recording);
    const ways: PackedRecording[] = [
      { version, from: "nothing", edits: [[[], recording]] },
      ...(plainEdits ? [{ version, from: "plain" as const, edits: plainEdits }] : []),
    ];
    if (before !== undefined) {
      ways.push({ version, from: "before", edits: editsBetween(before, recording) });
    }
    if (change && plainOne) {
      const alike = withEdits(plainOne, change);
      ways.push({ version, from: "alike", edits: editsBetween(alike, recording) });
    }
    before = recording;
    change = plainEdits;
    const size = ({ edits }: PackedRecording): number => JSON.stringify(edits).length;
    return ways.reduce((a, b) => (size(b) < size(a) ? b : a));
  });
  const { id, argv, env, recorder } = golden;
  return { id, argv, env, files: Object.fromEntries(files), recorder, versions };
}

function unpackCase(packed: PackedCase, plain: GoldenCase | undefined): GoldenCase {
  const texts = new Map<string, Buffer>();
  const files = Object.entries(packed.files).map(([path, source]): [string, FileSource] => {
    if (!("text" in source)) return [path, source];
    texts.set(path, Buffer.from(source.text));
    return [path, path];
  });
  const recordings = new Map<string, unknown>();
  let before: unknown;
  let change: readonly Edit[] = [];
  for (const { version, from, edits } of packed.versions) {
    const plainOne = plain && compact(plain.recording(version));
    const base = {
      before: () => before,
      plain: () => plainOne,
      alike: () => withEdits(plainOne, change),
      nothing: () => undefined,
    }[from]();
    before = withEdits(base, edits);
    change = plainOne === undefined ? [] : editsBetween(plainOne, before);
    recordings.set(version, before);
  }
  const { id, argv, env, recorder } = packed;
  return {
    id,
    argv,
    env,
    recorder,
    files: Object.fromEntries(files),
    versions: packed.versions.map(({ version }) => version),
    read: (file) => texts.get(file) ?? Buffer.alloc(0),
    recording: (version) => recordings.get(version) as Golden,
  };
}

/** Removes the output of spark-submit and insignificant order from a recording. */
export function compact({ exitCode, error, requests, sparkProperties, uploads }: Golden): Golden {
  const kept: Golden = {
    exitCode,
    ...(error === undefined ? {} : { error: failureKind(error) }),
    requests: requests.map((request) => ({ ...request, body: compactBody(request.body) })),
    ...(sparkProperties === undefined ? {} : { sparkProperties }),
    ...(uploads === undefined ? {} : { uploads }),
  };
  return sortKeys(JSON.parse(JSON.stringify(kept))) as Golden;
}

// Stores the properties as a map, because the comparison ignores their order.
function compactBody(body: unknown): GoldenRequest["body"] {
  const maps = isRecord(body) ? body["data"] : undefined;
  const text = isRecord(maps) ? maps["spark.properties"] : undefined;
  if (!isRecord(body) || !isRecord(maps) || typeof text !== "string") return body;
  const properties = Object.fromEntries(parseJavaProperties(text));
  return { ...body, data: { ...maps, "spark.properties": properties } };
}
