// at src/editor/submit/planted.ts
// caught by linter, matrix
import { readFile } from "node:fs/promises";

export const text = (path: string): Promise<string> => readFile(path, "utf8");
