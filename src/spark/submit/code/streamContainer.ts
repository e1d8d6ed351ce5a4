import type { JsonObject } from "../../../base/json.ts";

export declare function streamContainer(options: {
  readonly container: JsonObject;
  readonly volumeName: string;
}): JsonObject;
