import { request } from "node:https";
import type { TestContext } from "node:test";
import { sandboxClock } from "../../../src/sandbox/clock.ts";
import type { StartNode } from "../../../src/sandbox/node/node.ts";
import { startSandbox, type Sandbox } from "../../../src/sandbox/sandbox.ts";

/** Starts a sandbox that stops with the test. */
export async function sandboxFor(
  t: TestContext,
  options: { readonly startNode?: StartNode; readonly graceMs?: number } = {},
): Promise<Sandbox> {
  const sandbox = await startSandbox({
    clock: sandboxClock,
    folder: "",
    startNode: options.startNode,
    graceMs: options.graceMs ?? 600_000,
    contents: [],
    log: () => undefined,
  });
  t.after(() => sandbox.stop());
  return sandbox;
}

export interface Got {
  readonly status: number;
  readonly text: string;
}

/** Sends a request to the sandbox with any headers, even Host. */
export const ask = (
  { url, authority }: Pick<Sandbox, "url" | "authority">,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<Got> =>
  new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    // Verifies the certificate for this name, regardless of the Host header.
    const tls = { ca: authority, servername: "localhost", agent: false };
    const options = { method, ...tls, headers: { ...length, ...headers } };
    const asked = request(new URL(path, url), options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
      });
    });
    asked.on("error", reject);
    asked.end(body);
  });

export const bearer = (token: string): { readonly authorization: string } => ({
  authorization: `Bearer ${token}`,
});
