// Items of a watch, for any kind of object.
import type { ClusterError } from "../clusterError.ts";

/** All events up to this version were sent. `initialEventsEnd` is true if the bookmark ends a streamed list. */
export interface WatchBookmark {
  readonly kind: "bookmark";
  readonly resourceVersion: string;
  readonly initialEventsEnd: boolean;
}

/**
 * Items of a watch. Events that arrived together are one batch. A watch begins with an empty batch, which signals
 * that the server accepted the request. A failure is the last item. If the stream ends without a failure, the
 * server closed it normally.
 */
export type WatchItem<Event> =
  | { readonly kind: "events"; readonly events: readonly (Event | WatchBookmark)[] }
  | { readonly kind: "failed"; readonly error: ClusterError };
