// The termination message of a container.
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { readLog } from "../logs/readLog.ts";
import type { ContainerSpec } from "../spec/podSpec.ts";

/** Limits of Kubernetes for the message, and for the log that replaces it. */
const maxMessageBytes = 4096;
const maxLogLines = 80;
const maxLogBytes = 2048;

/**
 * Returns the content of the termination message file. If it is empty, returns the end of the log if the container
 * failed and has the policy FallbackToLogsOnError, and undefined otherwise.
 */
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
  // Non-blocking: the program may have replaced the file by a pipe without a writer.
  const { O_RDONLY, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NONBLOCK).catch(() => undefined);
  if (file === undefined) return "";
  try {
    const bytes = Buffer.alloc(maxMessageBytes);
    const { bytesRead } = await file.read(bytes, 0, maxMessageBytes, 0);
    return bytes.toString("utf8", 0, bytesRead);
  } catch {
    // The path is not a regular file.
    return "";
  } finally {
    await file.close();
  }
}

async function lastText(logFolder: string): Promise<string | undefined> {
  const query = {
    follow: false,
    tailLines: maxLogLines,
    since: undefined,
    timestamps: false,
    limitBytes: undefined,
  };
  const chunks: Uint8Array[] = [];
  const signal = new AbortController().signal;
  for await (const chunk of readLog(logFolder, query, undefined, signal)) chunks.push(chunk);
  const text = Buffer.concat(chunks).subarray(-maxLogBytes).toString("utf8");
  return text === "" ? undefined : text;
}
