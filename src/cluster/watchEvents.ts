import type { ClusterError } from "../engine/clusterError.ts";
import type { PodWatchEvent } from "../engine/ports.ts";
import type { Alike } from "../spark/pods/alike.ts";
import { decodePod } from "../spark/pods/decodePod.ts";
import { LineSplitter } from "./bytes/lineSplitter.ts";
import { parseWithoutManagedFields } from "./bytes/parseWithoutManagedFields.ts";
import { fieldOf, textOf } from "./json.ts";

/** What a piece of a watch held. After an error, what follows counts no more. */
export interface WatchBatch {
  readonly events: readonly PodWatchEvent[];
  readonly error: ClusterError | undefined;
}

/** Reads the bytes of a watch on pods, however they were cut: one JSON object a line. */
export class WatchEvents {
  readonly #lines: LineSplitter;
  readonly #errorOf: (status: unknown) => ClusterError;
  readonly #alike: Alike;

  /** `errorOf`: what the Status in an ERROR event means. */
  constructor(longestLine: number, errorOf: (status: unknown) => ClusterError, alike: Alike) {
    this.#lines = new LineSplitter(longestLine);
    this.#errorOf = errorOf;
    this.#alike = alike;
  }

  read(chunk: Buffer): WatchBatch {
    const events: PodWatchEvent[] = [];
    let error: ClusterError | undefined;
    this.#lines.push(chunk, (line, isCut) => {
      if (error || line.length === 0) return;
      const event = isCut ? tooLong : this.#readLine(line);
      if (isError(event)) error = event;
      else events.push(event);
    });
    if (this.#lines.isTooLong) error ??= tooLong;
    return { events, error };
  }

  /** The server has closed the watch: why that was no good order, if it was none. */
  end(): ClusterError | undefined {
    let error: ClusterError | undefined;
    this.#lines.end((line, isCut) => {
      const event = isCut ? tooLong : this.#readLine(line);
      if (isError(event)) {
        error = event.kind === "badResponse" ? badEvent("the last line is not complete") : event;
      }
    });
    return error;
  }

  #readLine(line: Buffer): PodWatchEvent | ClusterError {
    const json = parseWithoutManagedFields(line);
    if (!json.ok) return badEvent("a line is not JSON");
    const object = fieldOf(json.value, "object");
    const type = textOf(json.value, "type") ?? "";
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
        return badEvent("a line is no event that is known");
    }
  }
}

const kinds = { ADDED: "added", MODIFIED: "modified", DELETED: "deleted" } as const;

const badEvent = (why: string): ClusterError => ({
  kind: "badResponse",
  status: undefined,
  detail: `the watch on pods cannot be read: ${why}`,
});

const tooLong = badEvent("a line is too long");

function bookmarkOf(metadata: unknown): PodWatchEvent | ClusterError {
  const resourceVersion = textOf(metadata, "resourceVersion");
  if (resourceVersion === undefined) return badEvent("a bookmark has no resource version");
  const mark = textOf(fieldOf(metadata, "annotations"), "k8s.io/initial-events-end");
  return { kind: "bookmark", resourceVersion, initialEventsEnd: mark === "true" };
}

const isError = (event: PodWatchEvent | ClusterError): event is ClusterError => "detail" in event;
