import type { PodRecord } from "../spark/pods/podRecord.ts";
import type { PodWatchEvent } from "./ports.ts";

/** Pods of a list that is still coming in. */
export type Listing = Map<string, PodRecord>;

export interface ListingEnd {
  /** Index of the bookmark. */
  readonly at: number;
  /** False for an ordinary bookmark, which never comes before the one that ends the list. */
  readonly isEnd: boolean;
  readonly resourceVersion: string;
}

/** What happens while the list comes in may be among it; versions are in no order until its end. */
export function collectListing(
  listing: Listing,
  events: readonly PodWatchEvent[],
): ListingEnd | undefined {
  for (const [at, event] of events.entries()) {
    if (event.kind === "bookmark") {
      return { at, isEnd: event.initialEventsEnd, resourceVersion: event.resourceVersion };
    }
    if (event.kind === "deleted") listing.delete(event.pod.uid);
    else listing.set(event.pod.uid, event.pod);
  }
  return undefined;
}
