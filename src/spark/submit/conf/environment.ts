import type { Result } from "../../../base/result.ts";
import type { DeliveryChoice } from "../code/chooseDelivery.ts";
import type { SentCode } from "../code/sentCode.ts";
import type { DebugRequest } from "../debug/debugRequest.ts";
import type { PackageArchive } from "../packages/packageArchive.ts";
import type { ShellKind } from "../shell/shellKind.ts";
import type { LocalFiles } from "./localFiles.ts";

/** The environment in which a submission is resolved: variables, files, time and random bytes. */
export interface SubmissionEnvironment {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
  /** The operating system's account, used if no variable names a user. */
  readonly userName: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Cryptographically random bytes, used for object names. */
  readonly randomBytes: (count: number) => Uint8Array;
  readonly files: LocalFiles;
}

/** The parts of a submission that are collected after its application is resolved. */
export interface SubmissionParts {
  /** The texts fetched from the addresses that `addressesToFetch` returns. */
  readonly fetched?: FetchedTexts | undefined;
  /** The collected files of `codeRequest`; undefined: local files need an upload path, as in spark-submit. */
  readonly code?: CodeToDeliver | undefined;
  /** Python packages that the image lacks; undefined: none are sent. */
  readonly packages?: PackageArchive | undefined;
  /** The options of a debugged run. Undefined: the run is not debugged. */
  readonly debug?: DebugRequest | undefined;
  /** The shell that the driver pod runs in place of the application. Undefined: the pod runs the application. */
  readonly shell?: ShellKind | undefined;
}

export interface CodeToDeliver {
  readonly sent: SentCode;
  readonly choice: DeliveryChoice;
}

/** Fetched texts by address. An error is the reason of a failed fetch, as part of a sentence. */
export type FetchedTexts = ReadonlyMap<string, Result<string, string>>;
