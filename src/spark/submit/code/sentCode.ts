/**
 * The mount path of the files in the driver's container. The executors need no mount: the driver serves them the
 * `file:` entries of `spark.submit.pyFiles`, `spark.files`, `spark.jars` and `spark.archives`.
 */
export const codeDirectory = "/opt/spark-k8s/code";

/** The working directory of Spark's images. Spark copies dependencies to it. */
export const workDirectory = "/opt/spark/work-dir";

/** The local files that an application needs, as absolute paths. No file has been read yet. */
export interface CodeRequest {
  /** The main application resource; undefined if it is not a local file. */
  readonly main: string | undefined;
  readonly isPython: boolean;
  /** Local entries of the dependency lists, without the main resource. Each path occurs once. */
  readonly dependencies: readonly string[];
  /** Relative paths among the arguments of the application, which may be data files. */
  readonly named?: readonly string[];
}

/** Local files that a submission sends to the driver. */
export interface SentCode {
  /** Sorted by name. */
  readonly files: readonly SentFile[];
  /** Files that are not sent although the application may expect them, each with the reason. */
  readonly leftOut: readonly LeftOutFile[];
}

export interface SentFile {
  /** Relative to `codeDirectory`, with `/`. Unique. */
  readonly name: string;
  readonly size: number;
  readonly isExecutable: boolean;
  readonly role: SentRole;
  readonly content: SentContent;
  /** The files inside a generated archive, sorted by name; empty for other files. */
  readonly members: readonly SentMember[];
}

/**
 * `requested`: a file of a `CodeRequest`; conf entries and the main resource refer to `path`. `modules`: a generated
 * zip of the Python modules that the application imports, for `spark.submit.pyFiles`. `data`: a file that the profile
 * includes or the program names, for `spark.files`. `folder`: a zip of such files below a folder of this name, for
 * `spark.archives`; relative paths then work in the driver and the executors. `support`: a file for the driver's
 * container alone, such as a debugger. `packages`: an archive of installed Python packages, for `spark.archives`;
 * `declaredIn` names the file that declares them.
 */
export type SentRole =
  | { readonly kind: "requested"; readonly path: string }
  | { readonly kind: "modules" | "support" }
  | { readonly kind: "data"; readonly path: string }
  | { readonly kind: "folder"; readonly folder: string }
  | { readonly kind: "packages"; readonly declaredIn: string };

/**
 * `inline`: base64. `disk`: the file is read when it is sent. A change of its size or content in between fails the
 * submission.
 */
export type SentContent =
  | { readonly kind: "inline"; readonly base64: string }
  | { readonly kind: "disk"; readonly path: string; readonly modifiedMs: number };

export interface SentMember {
  /** The path inside the archive. */
  readonly name: string;
  readonly path: string;
  readonly size: number;
  /** The reason for sending the file: the module that imports it, or the pattern that includes it. */
  readonly reason: string;
}

export interface LeftOutFile {
  readonly path: string;
  readonly reason: LeftOutReason;
}

/**
 * `ignored`: `.sparkignore` matches the file. `gitIgnored`: `.gitignore` matches it, which applies to included files
 * only. `excluded`: the profile excludes the file. `secret`: the name looks like that of a secret. `toolFolder`: a
 * folder such as `.git` or `.venv`, with everything in it. `outside`: a symbolic link that leaves the workspace folder.
 * `native`: a compiled module, which Python cannot import from a zip file. `large`: the program names the file, but it
 * is too large to be sent without a pattern.
 */
export type LeftOutReason =
  | "ignored"
  | "gitIgnored"
  | "excluded"
  | "secret"
  | "toolFolder"
  | "outside"
  | "native"
  | "large"
  | "unreadable";

export const totalSize = (files: readonly Pick<SentFile, "size">[]): number =>
  files.reduce((sum, { size }) => sum + size, 0);
