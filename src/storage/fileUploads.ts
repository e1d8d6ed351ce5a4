import { randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { err, ok, type Result } from "../base/result.ts";
import type { UploadTarget } from "../engine/ports.ts";
import { abortError, throwIfAborted } from "./abort.ts";
import { refuseScheme, schemeOf } from "./schemes.ts";
import { systemCode } from "./systemCode.ts";
import { reportStage, type OnUploadProgress, type ReportBytes } from "./uploadProgress.ts";

/**
 * Copies to paths of this machine that the driver sees too, as on a shared file system. The file has its
 * name only when it is whole. Other kinds of storage are refused by name.
 */
export function uploadsToFiles(onProgress?: OnUploadProgress): UploadTarget {
  return {
    copy: async (upload, signal) => {
      throwIfAborted(signal);
      const target = pathOf(upload.target);
      if (target === undefined) {
        return err({ upload, detail: refuseScheme(upload.target, ["file"]) });
      }
      try {
        const { size } = await stat(upload.path);
        const report = reportStage(onProgress, { upload, stage: "sending", totalBytes: size });
        const copied = await copyWhole(upload.path, target, report, signal);
        return copied.ok ? copied : err({ upload, detail: copied.error });
      } catch (error) {
        if (signal.aborted) throw abortError();
        if (systemCode(error) === undefined || !(error instanceof Error)) throw error;
        return err({ upload, detail: error.message });
      }
    },
  };
}

export const fileUploads: UploadTarget = uploadsToFiles();

async function copyWhole(
  source: string,
  target: string,
  report: ReportBytes,
  signal: AbortSignal,
): Promise<Result<void, string>> {
  const folder = dirname(target);
  await mkdir(folder, { recursive: true });
  const partial = `${target}.${randomBytes(4).toString("hex")}.part`;
  try {
    // Never over a file that is there: the folder is fresh for each upload.
    if (await exists(target)) return err(`"${target}" is there already`);
    // The driver runs as another user, so the copy does not inherit that only its owner may read it.
    await pipeline(
      createReadStream(source),
      async function* (chunks: AsyncIterable<Buffer>) {
        let done = 0;
        for await (const chunk of chunks) {
          yield chunk;
          done += chunk.length;
          report(done);
        }
        report(done);
      },
      createWriteStream(partial, { flags: "wx" }),
      { signal },
    );
    await rename(partial, target);
    return ok(undefined);
  } catch (error) {
    await rm(partial, { force: true });
    await removeIfEmpty(folder);
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    return false;
  }
}

async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    // Not empty, not ours to remove, or not there.
    if (systemCode(error) === undefined) throw error;
  }
}

// Hadoop takes the text after `file:` as it stands, `%41` and `#` too; Spark writes `file:/path` as often
// as `file:///path`, and a plain path is one as well.
function pathOf(target: string): string | undefined {
  const scheme = schemeOf(target);
  if (scheme === undefined) return target;
  if (scheme !== "file") return undefined;
  const path = target.slice("file:".length).replace(/^\/\/[^/]*/, "");
  return path.replace(/^\/([A-Za-z]:)/, "$1");
}
