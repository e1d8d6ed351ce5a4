// at src/spark/pods/planted.ts
// caught by compiler, linter, matrix
import type * as ports from "../../engine/ports/connection.ts";

export type Ports = typeof ports;
