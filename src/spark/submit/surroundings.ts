import type { Result } from "../../base/result.ts";
import type { LocalFiles } from "./localFiles.ts";

/** What a submission may know of the place and the moment where it happens. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
  /** The account at the operating system, when no variable names a user. */
  readonly userName: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Bytes from a cryptographic source; names of objects are made of them. */
  readonly randomBytes: (count: number) => Uint8Array;
  readonly files: LocalFiles;
  /** What lies behind the addresses that `addressesToFetch` names. */
  readonly fetched: FetchedTexts;
}

/** The texts behind some addresses, each by its address; or, as a part of a sentence, why it was not fetched. */
export type FetchedTexts = ReadonlyMap<string, Result<string, string>>;
