import { err, ok, type Result } from "../../base/result.ts";
import type { ClusterError } from "../clusterError.ts";
import type { Clock } from "../ports/clock.ts";
import type { PodStream, PodStreamItem } from "../ports/channels.ts";

/**
 * The protocol by which a process shows that it accepts clients. debugpy and a Connect server (HTTP/2) send the first
 * bytes; a JVM replies to the JDWP handshake.
 */
export type DebugProtocol = "dap" | "http2" | "jdwp";

export interface ReadyOptions {
  readonly open: (signal: AbortSignal) => Promise<Result<PodStream, ClusterError>>;
  readonly protocol: DebugProtocol;
  readonly clock: Clock;
}

const retryMs = 500;

/**
 * Connects to a process as soon as it listens, and returns the connection. A refused connection is normal until then.
 * No probe connection is made, because a debuggee may end its session when one closes. Returns an error if a later
 * attempt would fail, too. Rejects when aborted.
 */
export async function connectWhenReady(
  { open, protocol, clock }: ReadyOptions,
  signal: AbortSignal,
): Promise<Result<PodStream, ClusterError>> {
  for (;;) {
    const opened = await open(signal);
    if (opened.ok) {
      const accepted = await whenAccepted(opened.value, protocol, signal);
      if (accepted !== undefined) return ok(accepted);
    } else if (isFinal(opened.error)) {
      return err(opened.error);
    }
    await clock.sleep(retryMs, signal);
  }
}

/**
 * Returns the stream once the process has sent its first bytes; undefined if the pod refused the connection. debugpy
 * sends first. A JVM only replies to a handshake, so this function sends the handshake and drops that of the debugger.
 */
async function whenAccepted(
  stream: PodStream,
  protocol: DebugProtocol,
  signal: AbortSignal,
): Promise<PodStream | undefined> {
  const items = stream.items[Symbol.asyncIterator]();
  const first = items.next();
  // Prevents an unhandled rejection. The consumer of the returned stream still gets the failure.
  first.catch(() => undefined);
  const over = new AbortController();
  const cancel = (): void => {
    over.abort();
  };
  signal.addEventListener("abort", cancel, { once: true });
  try {
    if (protocol === "jdwp") await stream.write(handshake);
    const result = await Promise.race([first, never(over.signal)]);
    if (result.done !== true && result.value.kind === "bytes") {
      const skipped = protocol === "jdwp" ? handshake.length : 0;
      return {
        items: replay(first, items),
        write: withoutFirst(skipped, (bytes) => stream.write(bytes)),
        dispose: () => {
          stream.dispose();
        },
      };
    }
    stream.dispose();
    return undefined;
  } catch (error) {
    stream.dispose();
    throw error;
  } finally {
    signal.removeEventListener("abort", cancel);
    over.abort();
  }
}

/** In the Java Debug Wire Protocol each side sends these bytes first. */
const handshake = new TextEncoder().encode("JDWP-Handshake");

/** Wraps `write` so that it drops the first `count` bytes. */
function withoutFirst(count: number, write: PodStream["write"]): PodStream["write"] {
  let left = count;
  return (bytes) => {
    const rest = bytes.subarray(left);
    left -= bytes.length - rest.length;
    return rest.length === 0 ? undefined : write(rest);
  };
}

const never = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const end = (): void => {
      reject(new DOMException("The operation was canceled", "AbortError"));
    };
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });

async function* replay(
  first: Promise<IteratorResult<PodStreamItem>>,
  rest: AsyncIterator<PodStreamItem>,
): AsyncIterable<PodStreamItem> {
  for (let next = await first; next.done !== true; next = await rest.next()) yield next.value;
}

/** True if a later attempt would fail too, for example if the pod does not exist or the user may not forward ports. */
const isFinal = (error: ClusterError): boolean =>
  (error.kind === "notFound" && !isUnknownToNode(error)) ||
  error.kind === "forbidden" ||
  error.kind === "unauthorized" ||
  error.kind === "invalid";

/**
 * True if the kubelet's response shows that it has not seen a new pod yet. If the API server itself does not know the
 * pod, its response names the pod.
 */
const isUnknownToNode = ({ detail }: ClusterError): boolean =>
  /\bpod does not exist\b/.test(detail);
