// at src/spark/timeline/planted.ts
// caught by linter, matrix
import type { V1Pod } from "@kubernetes/client-node";

export type Pod = V1Pod;
