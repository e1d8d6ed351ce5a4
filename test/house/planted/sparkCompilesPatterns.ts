// at src/spark/pods/planted.ts
// caught by linter, matrix
import { RE2JS } from "re2js";

export const compile = (source: string): RE2JS => RE2JS.compile(source);
