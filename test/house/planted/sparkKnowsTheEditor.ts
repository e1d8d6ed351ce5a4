// at src/spark/diagnosis/planted.ts
// caught by linter, matrix
import type { Uri } from "vscode";

export type Place = Uri;
