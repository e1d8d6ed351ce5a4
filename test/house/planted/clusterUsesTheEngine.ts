// at src/cluster/planted.ts
// caught by linter, matrix
import * as reflector from "../engine/reflector.ts";

export const watching: unknown = reflector;
