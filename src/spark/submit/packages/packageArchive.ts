import type { SentContent } from "../code/sentCode.ts";

/** An archive (`tar.gz`) of Python packages that were installed for the image. */
export interface PackageArchive {
  /** The file name in the driver. Different contents have different names. */
  readonly name: string;
  readonly size: number;
  readonly content: SentContent;
  readonly packages: readonly ArchivedPackage[];
  /** The file that declares the packages. */
  readonly declaredIn: string;
}

export interface ArchivedPackage {
  readonly name: string;
  readonly version: string;
  /** The unpacked size in bytes. */
  readonly size: number;
}
