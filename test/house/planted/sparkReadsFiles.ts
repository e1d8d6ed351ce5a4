// at src/spark/conf/planted.ts
// caught by compiler, linter, matrix
import { readFileSync } from "node:fs";

export const text = (): string => readFileSync("spark-defaults.conf", "utf8");
