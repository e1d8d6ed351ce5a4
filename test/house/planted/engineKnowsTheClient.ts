// at src/engine/planted.ts
// caught by linter, matrix
import type { Watch } from "@kubernetes/client-node";

export type Source = Watch;
