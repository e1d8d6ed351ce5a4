// at src/spark/pods/planted.ts
// caught by compiler, linter, matrix
import type * as ports from "../../engine/ports.ts";

export type Ports = typeof ports;
