// at src/base/planted.ts
// caught by compiler, linter, matrix
import type * as labels from "../spark/labels.ts";

export type Labels = typeof labels;
