import type { SentContent } from "../code/sentCode.ts";

/** An archive of installed Python packages for the image, as `tar.gz`. */
export interface PackageArchive {
  /** The name in the driver. Each content has its own. */
  readonly name: string;
  readonly size: number;
  readonly content: SentContent;
  readonly packages: readonly ArchivedPackage[];
  /** The file that declares them. */
  readonly declaredIn: string;
}

export interface ArchivedPackage {
  readonly name: string;
  readonly version: string;
  /** Unpacked. */
  readonly size: number;
}
