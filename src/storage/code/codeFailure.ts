import { binarySize } from "../../spark/binarySize.ts";
import type { CodeError } from "../../engine/ports/files.ts";

/** Carries a CodeError to the collector, which returns it. */
export class CodeFailure extends Error {
  readonly codeError: CodeError;

  constructor(path: string, detail: string) {
    super(detail);
    this.codeError = { path, detail };
  }
}

export interface SizedFile {
  readonly path: string;
  readonly size: number;
}

/** Returns the three largest files with their sizes, for errors about a limit. */
export function largestOf(files: readonly SizedFile[]): string {
  const largest = [...files].sort((a, b) => b.size - a.size || (a.path < b.path ? -1 : 1));
  return largest
    .slice(0, 3)
    .map(({ path, size }) => `${path} (${binarySize(size)})`)
    .join(", ");
}
