import { join } from "node:path";
import type { TestContext } from "node:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const program = join(import.meta.dirname, "../dist/cli.cjs");

/** Returns the user's response to an elicitation request of the server. */
export type AnswerQuestion = (message: string) =>
  | { readonly action: "accept"; readonly content: Record<string, string | boolean> }
  | {
      readonly action: "decline";
    };

/**
 * Connects the official MCP client to `spark-k8s mcp` until the test ends. The client validates each result against the
 * tool's output schema. Without `answer`, the client does not support
 * elicitation.
 */
export async function openMcpClient(
  t: Pick<TestContext, "after">,
  words: readonly string[],
  { cwd, answer }: { readonly cwd?: string; readonly answer?: AnswerQuestion } = {},
): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1" },
    { capabilities: answer === undefined ? {} : { elicitation: { form: {} } } },
  );
  if (answer !== undefined) {
    client.setRequestHandler("elicitation/create", ({ params }) => answer(params.message));
  }
  t.after(() => client.close());
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, "mcp", ...words],
      env: { PATH: process.env["PATH"] ?? "" },
      ...(cwd !== undefined && { cwd }),
    }),
  );
  return client;
}

/** Calls a tool. Returns its structured content, or the error text if the call failed. */
export async function callMcpTool(
  client: Client,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const { content, structuredContent, isError } = await client.callTool({
    name,
    arguments: { ...given },
  });
  if (isError !== true) return structuredContent;
  return content.map((part) => (part.type === "text" ? part.text : part.type)).join("\n");
}
