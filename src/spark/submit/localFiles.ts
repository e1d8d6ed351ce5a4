/** A text file; a file that is no valid UTF-8 has U+FFFD in place of what is wrong. */
export interface LocalText {
  readonly text: string;
  readonly isUtf8: boolean;
  readonly byteLength: number;
}

/**
 * The submitter's disk, read only. Paths are absolute. All is synchronous: what a submission reads is small
 * and at hand, and its building stays one calculation.
 */
export interface LocalFiles {
  /** Follows links; undefined when there is nothing. */
  kind(path: string): "file" | "directory" | undefined;
  /** Undefined unless `path` is a regular file that can be read. */
  text(path: string): LocalText | undefined;
  base64(path: string): string | undefined;
  /** The names in a directory, sorted; none if it is no directory. */
  names(directory: string): readonly string[];
  /** `path` with links resolved as far as it exists. */
  canonical(path: string): string;
  /** One entry of a zip or jar file as text. */
  zipText(path: string, entry: string): string | undefined;
}
