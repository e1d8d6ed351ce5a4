// Local files that an application needs: uploads, collected code, and built jars.
import type { Result } from "../../base/result.ts";
import type { CodeRequest, SentCode, SentFile } from "../../spark/submit/code/sentCode.ts";
import type { JvmProject } from "../../spark/submit/jvm/jvmBuild.ts";
import type { Upload } from "../../spark/submit/driver/driverSpec.ts";

export interface UploadError {
  readonly upload: Upload;
  /** The message of the system. */
  readonly detail: string;
}

export interface UploadProgress {
  readonly upload: Upload;
  /**
   * `reading`: hashes the file to find an earlier upload. `sending`: uploads the file. `copying`: the storage makes
   * a server-side copy, from an earlier submission or for later ones.
   */
  readonly stage: "reading" | "sending" | "copying";
  readonly doneBytes: number;
  readonly totalBytes: number;
}

/** A storage location to which local files are copied, and from which the driver fetches them. */
export interface UploadTarget {
  copy(upload: Upload, signal: AbortSignal): Promise<Result<void, UploadError>>;
}

/** Selects the workspace files that are sent with an application. Patterns are globs relative to `root`. */
export interface CodeRules {
  /** Absolute path of the workspace folder. Module imports are resolved in it. Files outside are not included. */
  readonly root: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** A file that cannot be sent. `detail` completes "Cannot send FILE: …". */
export interface CodeError {
  readonly path: string;
  readonly detail: string;
}

export interface CodeCollector {
  /**
   * Finds and reads the files of a request: the requested files, the Python modules that the main resource imports from
   * the workspace, and the files that the rules include. Deterministic: the same files give the same bytes. Yields to
   * the event loop.
   */
  readonly collect: (
    request: CodeRequest,
    rules: CodeRules,
    signal: AbortSignal,
  ) => Promise<Result<SentCode, CodeError>>;
  /**
   * Yields the files as a tar archive. A chunk is valid only until the next one is requested. Throws CodeChanged if a
   * file has changed since it was collected.
   */
  readonly archive: (files: readonly SentFile[], signal: AbortSignal) => AsyncIterable<Uint8Array>;
}

/** A Scala or Java program in the workspace. The project's own build tool creates the jar. */
export interface JvmProgram {
  readonly source: string;
  readonly mainClass: string;
  /** The working directory of the build. */
  readonly root: string;
  /** The build command line that applies if the profile sets none. */
  readonly command: string;
  readonly project: JvmProject;
}

export interface BuiltProgram {
  readonly jar: string;
  /** Jars that a thin jar needs at run time, in addition to Spark's own jars. */
  readonly dependencies: readonly string[];
}

export interface JvmPrograms {
  /** Finds the program of a source file. `root` is the workspace folder; build files above it are ignored. */
  readonly find: (source: string, root: string) => Promise<Result<JvmProgram, CodeError>>;
  /**
   * Returns the jar of the last build. `artifact` is a glob, relative to the project, that replaces the build tool's
   * default path.
   */
  readonly built: (
    program: JvmProgram,
    artifact: string | undefined,
  ) => Promise<Result<BuiltProgram, CodeError>>;
  /**
   * Returns the command line with which the build tool writes the class path of a thin jar. Call it after a build with
   * the user's own command. Undefined if the jar needs no class path, or if the written class path is newer than the
   * build files.
   */
  readonly classPathCommand: (
    program: JvmProgram,
    artifact: string | undefined,
  ) => Promise<string | undefined>;
}
