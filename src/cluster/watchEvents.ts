import type { Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import type { PodWatchEvent } from "../engine/ports/pods.ts";
import type { SharedValues } from "../spark/pods/sharedValues.ts";
import { decodePod } from "../spark/pods/decodePod.ts";
import { fieldAt, nonEmptyTextAt } from "../base/json.ts";
import type { EventStream } from "./eventStream.ts";

/** Events in one chunk of a watch. Events after an error are dropped. */
interface WatchBatch {
  readonly events: readonly PodWatchEvent[];
  readonly error: ClusterError | undefined;
}

/** Decodes the bytes of a watch on pods. Chunks may split events anywhere. */
export class WatchEvents {
  readonly #stream: EventStream;
  readonly #errorOf: (status: unknown) => ClusterError;
  readonly #alike: SharedValues;

  /** `errorOf` maps the Status of an ERROR event to an error. */
  constructor(
    stream: EventStream,
    errorOf: (status: unknown) => ClusterError,
    alike: SharedValues,
  ) {
    this.#stream = stream;
    this.#errorOf = errorOf;
    this.#alike = alike;
  }

  read(chunk: Buffer): WatchBatch {
    const events: PodWatchEvent[] = [];
    let error: ClusterError | undefined;
    this.#stream.push(chunk, (read) => {
      if (error) return;
      const event = this.#eventOf(read);
      if (isError(event)) error = event;
      else events.push(event);
    });
    return { events, error };
  }

  /** Called when the server closes the watch. Returns an error if the last event is incomplete. */
  end(): ClusterError | undefined {
    let error: ClusterError | undefined;
    this.#stream.end((read) => {
      const event = this.#eventOf(read);
      if (isError(event)) error = event;
    });
    return error;
  }

  #eventOf(read: Result<unknown, string>): PodWatchEvent | ClusterError {
    if (!read.ok) return badEvent(read.error);
    const object = fieldAt(read.value, "object");
    const type = nonEmptyTextAt(read.value, "type") ?? "";
    switch (type) {
      case "ADDED":
      case "MODIFIED":
      case "DELETED": {
        const pod = decodePod(object, this.#alike);
        return pod ? { kind: kinds[type], pod } : badEvent("an object is not a pod");
      }
      case "BOOKMARK":
        return bookmarkOf(fieldAt(object, "metadata"));
      case "ERROR":
        return this.#errorOf(object);
      default:
        return badEvent("an event is none that is known");
    }
  }
}

const kinds = { ADDED: "added", MODIFIED: "modified", DELETED: "deleted" } as const;

const badEvent = (why: string): ClusterError => ({
  kind: "badResponse",
  status: undefined,
  detail: `the watch on pods cannot be read: ${why}`,
});

function bookmarkOf(metadata: unknown): PodWatchEvent | ClusterError {
  const resourceVersion = nonEmptyTextAt(metadata, "resourceVersion");
  if (resourceVersion === undefined) return badEvent("a bookmark has no resource version");
  const mark = nonEmptyTextAt(fieldAt(metadata, "annotations"), "k8s.io/initial-events-end");
  return { kind: "bookmark", resourceVersion, initialEventsEnd: mark === "true" };
}

const isError = (event: PodWatchEvent | ClusterError): event is ClusterError => "detail" in event;
