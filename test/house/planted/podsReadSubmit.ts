// at src/spark/pods/planted.ts
// caught by matrix
import type * as manifest from "../submit/manifest.ts";

export type Manifest = typeof manifest;
