// at src/editor/apps/planted.ts
// caught by linter, matrix
import { KubeConfig } from "@kubernetes/client-node";

export const config: unknown = new KubeConfig();
