// Lists and watches of pods.
import type { Result } from "../../base/result.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import type { ClusterError } from "../clusterError.ts";
import type { WatchBookmark, WatchItem } from "./watch.ts";

export interface PodSelection {
  /** Undefined means all namespaces. */
  readonly namespace: string | undefined;
  readonly labelSelector: string;
}

export interface PodListRequest extends PodSelection {
  /** Undefined requests the most recent state, and "0" any state in the server's watch cache. */
  readonly resourceVersion: string | undefined;
  /** Pods per page. */
  readonly limit: number;
  readonly continueToken: string | undefined;
}

export interface PodPage {
  readonly pods: readonly PodRecord[];
  /** The resource version of the whole list, the same on all its pages. */
  readonly resourceVersion: string;
  readonly continueToken: string | undefined;
}

export interface PodWatchRequest extends PodSelection {
  /** The version to resume from; undefined with `sendInitialEvents`. */
  readonly resourceVersion: string | undefined;
  /** True to request a streamed list (KEP-3157): added events, then a bookmark with `initialEventsEnd`. */
  readonly sendInitialEvents: boolean;
  /** The server ends the watch after this many seconds. */
  readonly timeoutSeconds: number;
}

export type PodWatchEvent =
  { readonly kind: "added" | "modified" | "deleted"; readonly pod: PodRecord } | WatchBookmark;

export type PodWatchItem = WatchItem<Exclude<PodWatchEvent, WatchBookmark>>;

export interface PodSource {
  listPods(request: PodListRequest, signal: AbortSignal): Promise<Result<PodPage, ClusterError>>;
  /**
   * Watches until the server ends the stream. When `signal` aborts, it closes the socket and throws an AbortError. A
   * watch without data for longer than the bookmark interval fails as `unreachable`.
   */
  watchPods(request: PodWatchRequest, signal: AbortSignal): AsyncIterable<PodWatchItem>;
}
