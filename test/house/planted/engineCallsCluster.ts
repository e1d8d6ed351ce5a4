// at src/engine/planted.ts
// caught by compiler, linter, matrix
import * as door from "../cluster/door.ts";

export const clusters: unknown = door;
