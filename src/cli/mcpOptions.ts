import { parseArgs } from "node:util";
import type { McpOptions } from "./mcp/serveMcp.ts";
import { WrongUse } from "./wrongUse.ts";

export const mcpUsage = `Usage: spark-k8s mcp [options]

Serves tools for assistants over standard input and output (Model Context Protocol): list applications, explain
failures, read logs and effective conf, check conf, preview a submission.

  --kubeconfig FILE    kubeconfig file; may be given more than once (default: KUBECONFIG, then ~/.kube/config)
  --context NAME       context of the kubeconfig (default: the current one)
  --namespace NAME     namespace to list, or "*"; may be given more than once (default: the context's)
  --allow-changes      also offer tools that stop applications and kill executors; each asks you first
  --guarded ENTRY      contexts whose name you type to confirm a change: names, globs or regular expressions (default prod)
  --read-only ENTRY    contexts without changes; entries as above
  --help               this text
`;

/**
 * Parses the command-line arguments after `mcp`. Returns undefined if the caller should print the usage text. Throws a
 * WrongUse for an invalid argument.
 */
export function mcpOptions(words: readonly string[]): McpOptions | undefined {
  const values = parse(words);
  if (values.help === true) return undefined;
  return {
    kubeconfigFiles: values.kubeconfig ?? [],
    context: values.context,
    namespaces: values.namespace ?? [],
    allowsChanges: values["allow-changes"] === true,
    guarded: values.guarded ?? ["prod"],
    readOnly: values["read-only"] ?? [],
  };
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: {
        kubeconfig: { type: "string", multiple: true },
        context: { type: "string" },
        namespace: { type: "string", multiple: true },
        "allow-changes": { type: "boolean" },
        guarded: { type: "string", multiple: true },
        "read-only": { type: "string", multiple: true },
        help: { type: "boolean", short: "h" },
      },
    }).values;
  } catch (error) {
    throw new WrongUse(error instanceof Error ? error.message : String(error));
  }
}
