import type { ServerResponse } from "node:http";
import { Refusal } from "../api/refusal.ts";
import type { JsonObject } from "../kubeObject.ts";

/** Sends one JSON answer. */
export function sendJson(response: ServerResponse, code: number, body: JsonObject): void {
  const text = `${JSON.stringify(body)}\n`;
  response.writeHead(code, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-cache, private",
  });
  response.end(text);
}

export function sendText(response: ServerResponse, code: number, text: string): void {
  response.writeHead(code, {
    "content-type": "text/plain; charset=utf-8",
    "x-content-type-options": "nosniff",
  });
  response.end(text);
}

/** Any error as an answer; one that is no refusal is our mistake, and says no more than that. */
export function sendError(
  response: ServerResponse,
  error: unknown,
  log: (line: string) => void,
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (error instanceof Refusal) {
    sendJson(response, error.code, error.status);
    return;
  }
  log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const refusal = new Refusal(
    500,
    "InternalError",
    "Internal error occurred: see the sandbox's log",
  );
  sendJson(response, 500, refusal.status);
}
