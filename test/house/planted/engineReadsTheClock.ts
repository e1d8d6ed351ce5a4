// at src/engine/planted.ts
// caught by linter, matrix
import { setTimeout } from "node:timers/promises";

export const wait = (): Promise<void> => setTimeout(1000);
