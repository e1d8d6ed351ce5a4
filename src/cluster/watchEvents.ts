import { fieldAt, nonEmptyTextAt } from "../base/json.ts";
import type { Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import type { WatchBookmark } from "../engine/ports/watch.ts";
import type { EventStream } from "./eventStream.ts";

/** The type of a watch event that contains a changed object. */
export type ChangeType = "ADDED" | "MODIFIED" | "DELETED";

/** Decodes the objects of watch events. */
export interface EventDecoder<Event> {
  /** The plural name of the objects, for error messages. */
  readonly what: string;
  /**
   * Returns undefined for an object of another kind. With `skipsOthers`, the watch only records the resource version of
   * such an object; otherwise the watch fails.
   */
  readonly decode: (type: ChangeType, object: unknown) => Event | undefined;
  readonly skipsOthers: boolean;
}

/** The events in one chunk of a watch. Events after an error are dropped. */
interface WatchBatch<Event> {
  readonly events: readonly (Event | WatchBookmark)[];
  readonly error: ClusterError | undefined;
}

/** Decodes the bytes of a watch. Chunks may split events anywhere. */
export class WatchEvents<Event extends { readonly kind: string }> {
  readonly #stream: EventStream;
  readonly #errorOf: (status: unknown) => ClusterError;
  readonly #decoder: EventDecoder<Event>;

  /** `errorOf` maps the Status of an ERROR event to an error. */
  constructor(
    stream: EventStream,
    errorOf: (status: unknown) => ClusterError,
    decoder: EventDecoder<Event>,
  ) {
    this.#stream = stream;
    this.#errorOf = errorOf;
    this.#decoder = decoder;
  }

  read(chunk: Buffer): WatchBatch<Event> {
    const events: (Event | WatchBookmark)[] = [];
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

  #eventOf(read: Result<unknown, string>): Event | WatchBookmark | ClusterError {
    if (!read.ok) return this.#invalid(read.error);
    const object = fieldAt(read.value, "object");
    const type = nonEmptyTextAt(read.value, "type") ?? "";
    switch (type) {
      case "ADDED":
      case "MODIFIED":
      case "DELETED": {
        const event = this.#decoder.decode(type, object);
        if (event !== undefined) return event;
        return this.#decoder.skipsOthers
          ? this.#bookmarkOf(fieldAt(object, "metadata"), false)
          : this.#invalid("an object has an unexpected kind");
      }
      case "BOOKMARK":
        return this.#bookmarkOf(fieldAt(object, "metadata"), true);
      case "ERROR":
        return this.#errorOf(object);
      default:
        return this.#invalid("an event has an unknown type");
    }
  }

  /**
   * `mayEnd`: the bookmark's annotation may mark the end of a streamed list. False for other objects, because users
   * control their annotations.
   */
  #bookmarkOf(metadata: unknown, mayEnd: boolean): WatchBookmark | ClusterError {
    const resourceVersion = nonEmptyTextAt(metadata, "resourceVersion");
    if (resourceVersion === undefined)
      return this.#invalid("a bookmark or skipped object has no resource version");
    const mark = nonEmptyTextAt(fieldAt(metadata, "annotations"), "k8s.io/initial-events-end");
    return { kind: "bookmark", resourceVersion, initialEventsEnd: mayEnd && mark === "true" };
  }

  #invalid(why: string): ClusterError {
    return {
      kind: "badResponse",
      status: undefined,
      detail: `the watch on ${this.#decoder.what} cannot be read: ${why}`,
    };
  }
}

const isError = (event: object): event is ClusterError => "detail" in event;
