import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { link, lstat, mkdir, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { err, ok, type Result } from "../base/result.ts";
import type { UploadProgress, UploadTarget } from "../engine/ports/files.ts";
import { abortError, throwIfAborted } from "../io/abort.ts";
import { refuseScheme, schemeOf } from "./schemes.ts";
import { replaceFile } from "../io/replaceFile.ts";
import { systemCode } from "../io/systemCode.ts";
import { changedDuringUpload, keptName, smallestKept } from "./keptUpload.ts";
import { SourceFile } from "./s3/sourceFile.ts";
import { reportStage, type OnUploadProgress, type ReportBytes } from "./uploadProgress.ts";

type ReportStage = (stage: UploadProgress["stage"]) => ReportBytes;

/**
 * Returns an upload target for paths on this machine that the driver also sees, for example on a shared file system.
 * The target appears only when the copy is complete. A copy of a file of at least 1 MiB is kept under its content hash,
 * beside the folders of the submissions. For an unchanged file, a later submission only makes a hard link to this copy.
 * Other URI schemes return an error that names the scheme.
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
        const report: ReportStage = (stage) =>
          reportStage(onProgress, { upload, stage, totalBytes: size });
        const copied = await copyWhole({ path: upload.path, size }, target, report, signal);
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

interface Source {
  readonly path: string;
  readonly size: number;
}

async function copyWhole(
  source: Source,
  target: string,
  report: ReportStage,
  signal: AbortSignal,
): Promise<Result<void, string>> {
  const folder = dirname(target);
  await mkdir(folder, { recursive: true });
  try {
    // Never overwrite: each upload has a new folder.
    if (await exists(target)) return err(`"${target}" already exists`);
    const sha256 = source.size < smallestKept ? undefined : await hashOf(source, report, signal);
    const kept = sha256 && join(dirname(folder), keptName(sha256));
    if (kept !== undefined && (await isOwnCopy(kept, source.size))) {
      // If the hard link fails, the file is copied below.
      if (await linked(kept, target)) {
        report("copying")(source.size);
        return ok(undefined);
      }
    }
    const sent = await copyBytes(source.path, target, report("sending"), signal, sha256);
    if (sent && kept !== undefined) await linked(target, kept);
    if (!sent) await removeIfEmpty(folder);
    return sent ? ok(undefined) : err(changedDuringUpload);
  } catch (error) {
    await removeIfEmpty(folder);
    throw error;
  }
}

async function hashOf(
  { path, size }: Source,
  report: ReportStage,
  signal: AbortSignal,
): Promise<string | undefined> {
  const file = await SourceFile.open(path);
  try {
    return file.size === size ? await file.hash(report("reading"), signal) : undefined;
  } finally {
    await file.close();
  }
}

/** Copies a file. Returns false, and leaves no target, if the source no longer has the hash. */
async function copyBytes(
  source: string,
  target: string,
  report: ReportBytes,
  signal: AbortSignal,
  sha256: string | undefined,
): Promise<boolean> {
  const hash = createHash("sha256");
  try {
    await replaceFile(target, async (partial) => {
      // The driver runs as another user, so do not copy owner-only permissions.
      await pipeline(
        createReadStream(source),
        async function* (chunks: AsyncIterable<Buffer>) {
          let done = 0;
          for await (const chunk of chunks) {
            yield chunk;
            if (sha256 !== undefined) hash.update(chunk);
            done += chunk.length;
            report(done);
          }
          report(done);
        },
        createWriteStream(partial, { flags: "wx" }),
        { signal },
      );
      if (sha256 !== undefined && hash.digest("hex") !== sha256) throw new SourceChanged();
    });
    return true;
  } catch (error) {
    if (error instanceof SourceChanged) return false;
    throw error;
  }
}

class SourceChanged extends Error {
  override readonly name = "SourceChanged";
}

/**
 * True if the kept copy is a regular file of this size that this user owns. The content of a symbolic link, or of
 * another user's file, may not match the hash in its name.
 */
async function isOwnCopy(path: string, size: number): Promise<boolean> {
  try {
    const found = await lstat(path);
    const isOwn = process.getuid === undefined || found.uid === process.getuid();
    return found.isFile() && found.size === size && isOwn;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
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
