// at src/cluster/planted.ts
// caught by compiler, linter, matrix
import * as words from "../editor/showError.ts";

export const shown: unknown = words;
