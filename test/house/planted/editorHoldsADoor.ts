// at src/editor/apps/planted.ts
// caught by matrix
import * as door from "../logs/door.ts";

export const logs: unknown = door;
