/** A text file. U+FFFD replaces invalid UTF-8. */
interface LocalText {
  readonly text: string;
  readonly isUtf8: boolean;
  readonly byteLength: number;
}

/**
 * Read-only access to the submitter's disk. Paths are absolute. Synchronous, because the files are small and preparing
 * a submission stays a pure calculation.
 */
export interface LocalFiles {
  /** Follows links; undefined if the path does not exist. */
  kind(path: string): "file" | "directory" | undefined;
  /** Undefined unless `path` is a readable regular file. */
  text(path: string): LocalText | undefined;
  base64(path: string): string | undefined;
  /** Sorted names in a directory; empty if `directory` is not a directory. */
  names(directory: string): readonly string[];
  /** Resolves links in the part of `path` that exists. */
  canonical(path: string): string;
  /** Reads one entry of a zip or jar file as text. Undefined if the file or the entry is not readable. */
  zipText(path: string, entry: string): string | undefined;
}
