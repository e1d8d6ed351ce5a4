// Why a container ended, in its own words.
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { readLog } from "../logs/readLog.ts";
import type { ContainerSpec } from "../spec/podSpec.ts";

/** As much as Kubernetes takes: of a message, and of a log in its place. */
const longestMessage = 4096;
const logLines = 80;
const logBytes = 2048;

/** What it wrote to its file for that, or the end of its log where the pod wants it so. */
export async function endMessage(
  { logTellsEnd }: ContainerSpec,
  path: string | undefined,
  logFolder: string,
  exitCode: number,
): Promise<string | undefined> {
  const written = path === undefined ? "" : await readMessage(path);
  if (written !== "") return written;
  return logTellsEnd && exitCode !== 0 ? lastText(logFolder) : undefined;
}

async function readMessage(path: string): Promise<string> {
  // The program may have put a pipe in its place that nobody writes to.
  const { O_RDONLY, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NONBLOCK).catch(() => undefined);
  if (file === undefined) return "";
  try {
    const bytes = Buffer.alloc(longestMessage);
    const { bytesRead } = await file.read(bytes, 0, longestMessage, 0);
    return bytes.toString("utf8", 0, bytesRead);
  } catch {
    // A folder or a pipe by now.
    return "";
  } finally {
    await file.close();
  }
}

async function lastText(logFolder: string): Promise<string | undefined> {
  const query = {
    follow: false,
    tailLines: logLines,
    since: undefined,
    timestamps: false,
    limitBytes: undefined,
  };
  const chunks: Uint8Array[] = [];
  const signal = new AbortController().signal;
  for await (const chunk of readLog(logFolder, query, undefined, signal)) chunks.push(chunk);
  const text = Buffer.concat(chunks).subarray(-logBytes).toString("utf8");
  return text === "" ? undefined : text;
}
