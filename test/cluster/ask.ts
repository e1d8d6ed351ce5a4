import { request, type RequestOptions } from "node:https";
import type { KubeConfig } from "@kubernetes/client-node";
import type { Json, JsonObject } from "../../src/base/json.ts";

export interface Answer {
  readonly status: number;
  readonly body: JsonObject;
}

/** Sends one request directly to the API server, not through the extension. */
export type Ask = (
  method: string,
  path: string,
  json?: Json,
  contentType?: string,
) => Promise<Answer>;

export const askOver =
  (config: KubeConfig): Ask =>
  async (method, path, json, contentType = "application/json") => {
    const url = new URL(path, config.getCurrentCluster()?.server);
    const options: RequestOptions = { method, headers: { "content-type": contentType } };
    await config.applyToHTTPSOptions(options);
    return new Promise((resolve, reject) => {
      const sent = request(url, options, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          // For a path that is not served yet, the response is a line of plain text.
          const isJson = response.headers["content-type"]?.includes("json") ?? false;
          const body: unknown = isJson ? JSON.parse(Buffer.concat(chunks).toString()) : {};
          resolve({ status: response.statusCode ?? 0, body: body as JsonObject });
        });
      });
      sent.on("error", reject);
      sent.end(json === undefined ? undefined : JSON.stringify(json));
    });
  };
