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
  /** The texts behind the addresses that `addressesToFetch` names; undefined where fetching failed. */
  readonly fetched: ReadonlyMap<string, string | undefined>;
}
