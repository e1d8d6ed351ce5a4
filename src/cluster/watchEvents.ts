import type { Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import type { PodWatchEvent } from "../engine/ports.ts";
import type { Alike } from "../spark/pods/alike.ts";
import { decodePod } from "../spark/pods/decodePod.ts";
import { fieldOf, textOf } from "./json.ts";
import type { EventStream } from "./eventStream.ts";

/** What a piece of a watch held. After an error, what follows counts no more. */
export interface WatchBatch {
  readonly events: readonly PodWatchEvent[];
  readonly error: ClusterError | undefined;
}

/** Reads the bytes of a watch on pods, however they were cut. */
export class WatchEvents {
  readonly #stream: EventStream;
  readonly #errorOf: (status: unknown) => ClusterError;
  readonly #alike: Alike;

  /** `errorOf`: what the Status in an ERROR event means. */
  constructor(stream: EventStream, errorOf: (status: unknown) => ClusterError, alike: Alike) {
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

  /** The server has closed the watch: why that was no good order, if it was none. */
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
    const object = fieldOf(read.value, "object");
    const type = textOf(read.value, "type") ?? "";
    switch (type) {
      case "ADDED":
      case "MODIFIED":
      case "DELETED": {
        const pod = decodePod(object, this.#alike);
        return pod ? { kind: kinds[type], pod } : badEvent("an object is not a pod");
      }
      case "BOOKMARK":
        return bookmarkOf(fieldOf(object, "metadata"));
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
  const resourceVersion = textOf(metadata, "resourceVersion");
  if (resourceVersion === undefined) return badEvent("a bookmark has no resource version");
  const mark = textOf(fieldOf(metadata, "annotations"), "k8s.io/initial-events-end");
  return { kind: "bookmark", resourceVersion, initialEventsEnd: mark === "true" };
}

const isError = (event: PodWatchEvent | ClusterError): event is ClusterError => "detail" in event;
