import type { Disposable } from "../../base/disposable.ts";
import type { Result } from "../../base/result.ts";

/** The sandbox as a window sees it; `sandbox/door.ts` has what is behind it. An error is a sentence. */
export interface Sandboxes {
  /** What one that is to begin would have to run applications with. */
  look(): Promise<Ground>;
  /** Undefined: none runs. */
  join(): Promise<SandboxLease | undefined>;
  /** Ends it for all windows. False: none ran. */
  stop(): Promise<boolean>;
}

/** This machine, as it was looked at. */
export interface Ground {
  /** Versions of the Spark that is here, the preferred one first. */
  readonly sparkVersions: readonly string[];
  /** The version that Java and Python of this machine would run; undefined: they are not there. */
  readonly suits: string | undefined;
  /** Whether there is no Java. */
  readonly lacksJava: boolean;
  /** Brings a version of Spark by the user's pip; gives what is here then. */
  download(
    sparkVersion: string,
    tell: (progress: DownloadProgress) => void,
    signal: AbortSignal,
  ): Promise<Result<Ground, string>>;
  /** Joins the one that runs, or starts one. */
  start(wish: SandboxWish, signal: AbortSignal): Promise<Result<SandboxLease, string>>;
}

export interface SandboxWish {
  /** Whether all applications are to be acted. */
  readonly rehearse: boolean;
  /** Whether Spark of other versions may be downloaded, too, when an image asks for it. */
  readonly mayDownload: boolean;
}

export interface DownloadProgress {
  readonly line: string;
  /** From 0 to 1; undefined where that is not known. */
  readonly share: number | undefined;
}

/** Held for as long as this window uses the sandbox. */
export interface SandboxLease extends Disposable {
  readonly done: Promise<void>;
}
