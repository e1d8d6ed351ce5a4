import type { Disposable } from "../../base/disposable.ts";
import type { Result } from "../../base/result.ts";

/** The sandbox cluster, which all windows share. `sandbox/door.ts` implements it. Errors are sentences for the user. */
export interface Sandboxes {
  /** Looks for Java, Python and Spark on this machine. */
  look(): Promise<SandboxChoices>;
  /** Joins the running sandbox; undefined if none is running. */
  join(): Promise<SandboxLease | undefined>;
  /** Stops the sandbox for all windows. Returns false if none was running. */
  stop(): Promise<boolean>;
}

/** The software found on this machine, and the functions that download Spark and start a sandbox. */
export interface SandboxChoices {
  /** Installed Spark versions, the preferred one first. */
  readonly sparkVersions: readonly string[];
  /** The Spark version to download for this machine's Java and Python; undefined if either is missing. */
  readonly suits: string | undefined;
  readonly lacksJava: boolean;
  /** Downloads Spark with the user's pip, and inspects the machine again. */
  download(
    sparkVersion: string,
    onProgress: (progress: DownloadProgress) => void,
    signal: AbortSignal,
  ): Promise<Result<SandboxChoices, string>>;
  /** Joins the running sandbox, or starts one. */
  start(wish: SandboxWish, signal: AbortSignal): Promise<Result<SandboxLease, string>>;
}

export interface SandboxWish {
  /** Simulates all applications. */
  readonly simulate: boolean;
  /** Permits the download of another Spark version if an image needs it. */
  readonly mayDownload: boolean;
}

interface DownloadProgress {
  readonly line: string;
  /** From 0 to 1; undefined if unknown. */
  readonly share: number | undefined;
}

/** Keeps the sandbox running until disposed. `done` settles when the sandbox ends. */
export interface SandboxLease extends Disposable {
  readonly done: Promise<void>;
}
