import type { ServerResponse } from "node:http";
import { Refusal } from "../api/refusal.ts";
import type { JsonMembers } from "../kubeObject.ts";

export function sendJson(response: ServerResponse, code: number, body: JsonMembers): void {
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

/**
 * Sends the Status of a Refusal. Any other error is a bug: logs it, and sends a 500 without details. If the headers
 * were already sent, only destroys the response.
 */
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
