import type { Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import type { WatchItem } from "../engine/ports/watch.ts";
import { BodyLost } from "../io/http/body.ts";
import { isOfMessages } from "./apiMessages.ts";
import { type AnswerRules, type ApiCall, type ApiClient, headersMs } from "./apiRequest.ts";
import { EventFrames, EventLines } from "./eventStream.ts";
import { maxObjectBytes } from "./readPage.ts";
import { type EventDecoder, WatchEvents } from "./watchEvents.ts";

// The server sends a bookmark about every minute. If none arrives in 90 s, the connection is probably dead without a
// TCP error. After a false alarm, resuming the watch costs little.
const watchRules: AnswerRules = {
  channel: "watch",
  headersMs,
  silenceMs: 90_000,
  wholeMs: undefined,
};

/** Requests a watch and decodes its events. If `call` is an error, sends no request and yields only this error. */
export async function* readWatch<Event extends { readonly kind: string }>(
  api: ApiClient,
  call: Result<ApiCall, ClusterError>,
  decoder: EventDecoder<Event>,
  signal: AbortSignal,
): AsyncGenerator<WatchItem<Event>> {
  if (!call.ok) {
    yield { kind: "failed", error: call.error };
    return;
  }
  const answer = await api.open(call.value, watchRules, signal);
  if (!answer.ok) {
    yield { kind: "failed", error: answer.error };
    return;
  }
  const { subject } = call.value;
  const { contentType, chunks } = answer.value;
  const stream = isOfMessages(contentType)
    ? new EventFrames(maxObjectBytes)
    : new EventLines(maxObjectBytes);
  const reader = new WatchEvents(stream, (status) => api.statusError(status, subject), decoder);
  try {
    yield { kind: "events", events: [] };
    for await (const chunk of chunks) {
      const { events, error } = reader.read(chunk);
      if (events.length > 0) yield { kind: "events", events };
      if (error) {
        yield { kind: "failed", error };
        return;
      }
    }
  } catch (error) {
    if (!(error instanceof BodyLost)) throw error;
    yield { kind: "failed", error: api.lossOf(error, call.value) };
    return;
  } finally {
    answer.value.close();
  }
  const error = reader.end();
  if (error) yield { kind: "failed", error };
}
