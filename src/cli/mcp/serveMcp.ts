// A Model Context Protocol server that offers the assistant tools on standard input and output.
import { randomBytes } from "node:crypto";
import { homedir, userInfo } from "node:os";
import {
  fromJsonSchema,
  inputRequired,
  inputResponse,
  McpServer,
  type CallToolResult,
  type InputRequiredResult,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { isAbort } from "../../base/isAbort.ts";
import type { Result } from "../../base/result.ts";
import type {
  AssistantHost,
  ChangeDecision,
  AssistantQuestion,
} from "../../engine/assistant/assistantTool.ts";
import type * as toolsDoor from "../../engine/assistant/door.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import {
  guardOf,
  parseGuards,
  placeOfContext,
  type ContextPatterns,
} from "../../engine/contextGuard.ts";
import type { Clusters, Connection } from "../../engine/ports/connection.ts";
import { systemClock } from "../../engine/systemClock.ts";
import { packageVersion } from "../packageVersion.ts";

export interface McpOptions {
  /** Kubeconfig files. If empty, the files in `KUBECONFIG`, or else `~/.kube/config`. */
  readonly kubeconfigFiles: readonly string[];
  /** The kubeconfig context. Undefined for the current context. */
  readonly context: string | undefined;
  /** Namespaces to list. If empty, the namespace of the context; `*` means all namespaces. */
  readonly namespaces: readonly string[];
  /** If false, tools that change a cluster are not offered. */
  readonly allowsChanges: boolean;
  /** Patterns of context names, as in the settings `guardedContexts` and `readOnlyContexts`. */
  readonly guarded: readonly string[];
  readonly readOnly: readonly string[];
}

/** Serves requests until standard input ends. Writes only protocol messages to standard output. */
export async function serveMcp(options: McpOptions): Promise<void> {
  const { openClusters } = await import("../../cluster/door.ts");
  const { localDisk } = await import("../../storage/door.ts");
  const tools = await import("../../engine/assistant/door.ts");
  const clusters = openClusters({
    clock: systemClock,
    random: Math.random,
    env: process.env,
    homeDirectory: homedir(),
    userAgent: `spark-k8s-mcp/${packageVersion()}`,
    log: () => undefined,
  });
  const workingDirectory = process.cwd();
  const host: AskedLater = {
    clock: systemClock,
    connect: connector(clusters, options),
    namespacesOf: ({ namespace }) => {
      if (options.namespaces.includes("*")) return [undefined];
      return options.namespaces.length === 0 ? [namespace] : options.namespaces;
    },
    files: tools.filesInside(localDisk, workingDirectory),
    workingDirectory,
    userName: userInfo().username,
    randomBytes,
  };
  const patterns = {
    guarded: parseGuards(options.guarded),
    readOnly: parseGuards(options.readOnly),
  };
  const ended = new Promise<void>((resolve) => process.stdin.once("close", resolve));
  const handle = serveStdio(() => serverOf(host, tools, patterns, options));
  await ended;
  await handle.close();
  clusters.dispose();
}

function serverOf(
  host: AskedLater,
  { assistantTools, callTool }: typeof toolsDoor,
  patterns: ContextPatterns,
  { allowsChanges }: McpOptions,
): McpServer {
  const server = new McpServer({ name: "spark-k8s", version: packageVersion() });
  for (const tool of assistantTools) {
    if (tool.effect === "change" && !allowsChanges) continue;
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.description,
        inputSchema: fromJsonSchema(tool.input),
        outputSchema: fromJsonSchema(tool.output),
        annotations: {
          readOnlyHint: tool.effect === "read",
          destructiveHint: tool.effect === "change",
          openWorldHint: false,
        },
      },
      (given, { mcpReq: { inputResponses, signal } }) =>
        answer(patterns, inputResponses, (mayChange) =>
          callTool(tool, { ...host, mayChange }, given, signal),
        ),
    );
  }
  return server;
}

type AskedLater = Omit<AssistantHost, "mayChange">;

type Call = (mayChange: AssistantHost["mayChange"]) => ReturnType<typeof toolsDoor.callTool>;

/**
 * Calls a tool. Returns its result, or a confirmation prompt for the user. `inputResponses`: responses to an earlier
 * prompt.
 */
async function answer(
  patterns: ContextPatterns,
  inputResponses: Readonly<Record<string, unknown>> | undefined,
  call: Call,
): Promise<CallToolResult | InputRequiredResult> {
  let asked: InputRequiredResult | undefined;
  const mayChange = (
    connection: Connection,
    question: AssistantQuestion,
  ): Promise<ChangeDecision> => {
    const guard = guardOf(placeOfContext(connection.context), patterns);
    if (guard.kind === "readOnly") {
      const reason = `The context "${connection.context}" is read-only for this server.`;
      return Promise.resolve({ kind: "refused", reason });
    }
    const mustType = guard.kind === "typeName" ? connection.context : undefined;
    const said = inputResponse({ ...inputResponses }, question.id);
    if (said.kind === "missing") {
      asked = questionFor(question, mustType);
      return Promise.resolve({ kind: "later" });
    }
    const content = said.kind === "elicit" && said.action === "accept" ? said.content : undefined;
    const isApproved =
      content?.["confirm"] === true && (mustType === undefined || content["context"] === mustType);
    return Promise.resolve({ kind: isApproved ? "approved" : "declined" });
  };
  try {
    const result = await call(mayChange);
    if (result.ok) {
      return {
        content: [{ type: "text", text: JSON.stringify(result.value, undefined, 2) }],
        structuredContent: { ...result.value },
      };
    }
    if (result.error !== "later") return failed(result.error.text);
    return asked ?? failed("The user was not asked. Nothing was changed.");
  } catch (error) {
    if (isAbort(error)) throw error;
    // Return only the message, because a stack could contain paths.
    return failed(`Internal error: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const failed = (text: string): CallToolResult => ({
  content: [{ type: "text", text }],
  isError: true,
});

/**
 * Returns the confirmation prompt for a change. Its id names the change and its object, so a response never applies to
 * another change.
 */
const questionFor = (
  { id, action, detail }: AssistantQuestion,
  mustType: string | undefined,
): InputRequiredResult =>
  inputRequired({
    inputRequests: {
      [id]: inputRequired.elicit({
        message: `${action}?\n\n${detail}`,
        requestedSchema: {
          type: "object",
          properties: {
            confirm: { type: "boolean", title: action, default: false },
            ...(mustType !== undefined && {
              context: {
                type: "string",
                title: `"${mustType}" is a guarded context. Type its name to continue.`,
              },
            }),
          },
          required: mustType === undefined ? ["confirm"] : ["confirm", "context"],
        },
      }),
    },
  });

/** Returns a function that connects once per context. Retries a failed connection at the next call. */
function connector(
  clusters: Clusters,
  { kubeconfigFiles, context }: McpOptions,
): AssistantHost["connect"] {
  const settings = { kubeconfigFiles, mayRunPlugins: true };
  const connections = new Map<string | undefined, Promise<Result<Connection, ClusterError>>>();
  return async (name = context) => {
    const known = connections.get(name);
    const connecting = known ?? clusters.connect(name, settings, new AbortController().signal);
    connections.set(name, connecting);
    const connected = await connecting;
    if (!connected.ok) connections.delete(name);
    return connected;
  };
}
