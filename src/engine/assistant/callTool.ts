import { isRecord, noFields, type JsonObject } from "../../base/json.ts";
import type { Result } from "../../base/result.ts";
import type { AssistantHost, AssistantTool, ToolFailure } from "./assistantTool.ts";

/** Deadline of a call, because a driver or a node may accept a request and never respond. */
const maxCallMs = 60_000;

/**
 * Calls a tool with a deadline of 60 s. A prompt to the user cancels the deadline; no time limit applies after it.
 * A failure is a result of the tool, not an exception. Throws an AbortError if `signal` aborts.
 */
export async function callTool(
  tool: AssistantTool,
  host: AssistantHost,
  given: unknown,
  signal: AbortSignal,
): Promise<Result<JsonObject, ToolFailure | "later">> {
  const late = new AbortController();
  const deadline = async (): Promise<"late"> => {
    await host.clock.sleep(maxCallMs, AbortSignal.any([signal, late.signal]));
    return "late";
  };
  const work = new AbortController();
  const waiting = deadline().catch(() => "over" as const);
  const called = tool.call(
    {
      ...host,
      mayChange: (...question) => {
        late.abort();
        return host.mayChange(...question);
      },
    },
    isRecord(given) ? given : noFields,
    AbortSignal.any([signal, work.signal]),
  );
  try {
    const first = await Promise.race([called, waiting]);
    if (first === "late") {
      called.catch(() => undefined);
      return {
        ok: false,
        error: { text: `${tool.title}: no answer within ${maxCallMs / 1000} s. Try again.` },
      };
    }
    return first === "over" ? await called : first;
  } finally {
    late.abort();
    work.abort();
  }
}
