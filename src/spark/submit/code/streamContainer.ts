import type { JsonObject } from "../../../base/json.ts";

export const streamContainer = (options: {
  readonly container: JsonObject;
  readonly volumeName: string;
}): JsonObject => ({ name: options.volumeName, image: options.container["image"] ?? "" });
