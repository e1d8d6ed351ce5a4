import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rmdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { err, ok, type Result } from "../base/result.ts";
import type { UploadTarget } from "../engine/ports/files.ts";
import { abortError, throwIfAborted } from "../io/abort.ts";
import { refuseScheme, schemeOf } from "./schemes.ts";
import { replaceFile } from "../io/replaceFile.ts";
import { systemCode } from "../io/systemCode.ts";
import { reportStage, type OnUploadProgress, type ReportBytes } from "./uploadProgress.ts";

/**
 * Copies files to paths on this machine that the driver also sees, for example on a shared file system. The target
 * appears only when the copy is complete. Other URI schemes return an error that names the scheme.
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
  try {
    // Never overwrite: each upload has a new folder.
    if (await exists(target)) return err(`"${target}" is there already`);
    await replaceFile(target, (partial) =>
      // The driver runs as another user, so do not copy owner-only permissions.
      pipeline(
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
      ),
    );
    return ok(undefined);
  } catch (error) {
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
    // The folder is not empty, cannot be removed, or does not exist.
    if (systemCode(error) === undefined) throw error;
  }
}

// Hadoop does not decode the text after `file:`, not even `%41` or `#`. Spark writes `file:/path`, `file:///path`
// and plain paths.
function pathOf(target: string): string | undefined {
  const scheme = schemeOf(target);
  if (scheme === undefined) return target;
  if (scheme !== "file") return undefined;
  const path = target.slice("file:".length).replace(/^\/\/[^/]*/, "");
  return path.replace(/^\/([A-Za-z]:)/, "$1");
}
