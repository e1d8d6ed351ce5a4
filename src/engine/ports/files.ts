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

/** Copies local files to a place from which the driver can fetch them. */
export interface UploadTarget {
  copy(upload: Upload, signal: AbortSignal): Promise<Result<void, UploadError>>;
}

/** The rules by which files of a workspace are sent with an application. Patterns are globs relative to `root`. */
export interface CodeRules {
  /** The workspace folder: modules are looked for in it, and nothing outside is included. Absolute. */
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
   * Finds and reads the files of a request: the requested ones, the Python modules that the main resource imports from
   * the workspace, and what the rules include. The same files give the same bytes. Yields to the event loop.
   */
  readonly collect: (
    request: CodeRequest,
    rules: CodeRules,
    signal: AbortSignal,
  ) => Promise<Result<SentCode, CodeError>>;
  /**
   * Returns the files as a tar archive, for a stream. A chunk is valid until the next one is requested. Throws
   * CodeChanged if a file differs from its collected state.
   */
  readonly archive: (files: readonly SentFile[], signal: AbortSignal) => AsyncIterable<Uint8Array>;
}

/** A Scala or Java program in the workspace. Its own build makes the jar. */
export interface JvmProgram {
  readonly source: string;
  readonly mainClass: string;
  /** The folder in which the build starts. */
  readonly root: string;
  /** The command line of the build if the profile names none. */
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
   * Returns the command line that makes the build tool write the class path of the thin jar, after a build with the
   * user's own command. Undefined if the jar needs none, or if the class path is newer than the build files.
   */
  readonly classPathCommand: (
    program: JvmProgram,
    artifact: string | undefined,
  ) => Promise<string | undefined>;
}
