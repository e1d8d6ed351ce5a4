/** A text file. U+FFFD replaces invalid UTF-8. */
interface LocalText {
  readonly text: string;
  readonly isUtf8: boolean;
  readonly byteLength: number;
}

/**
 * Read-only access to the submitter's disk. Paths are absolute. Synchronous, so that preparing a submission needs no
 * `await`. The files are small.
 */
export interface LocalFiles {
  /** Returns the kind of a path, following links. Undefined if the path does not exist. */
  kind(path: string): "file" | "directory" | undefined;
  /** Returns the text of a file. Undefined unless `path` is a readable regular file. */
  text(path: string): LocalText | undefined;
  base64(path: string): string | undefined;
  /** Returns the sorted names in a directory. Empty if `directory` is not a directory. */
  names(directory: string): readonly string[];
  /** Returns the path with links resolved in the part that exists. */
  canonical(path: string): string;
  /** Reads one entry of a zip or jar file as text. Undefined if the file or the entry is not readable. */
  zipText(path: string, entry: string): string | undefined;
}
