import type { PodEvent } from "../../spark/pods/podSnapshot.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import type { PodSelection, PodSource } from "../ports/pods.ts";
import { startListWatch, type ListWatchOptions, type ListWatchPace } from "./listWatch.ts";
import type { PodStore } from "./podStore.ts";
import type { RetryLoop } from "./retryLoop.ts";

export type Reflector = RetryLoop;

// The same interval as Spark's driver, which polls its executor pods every 30 s.
const pollMs = 30_000;

const pace: ListWatchPace = {
  streamsLists: true,
  listAgeMs: 600_000,
  pollMs,
  idlePollMs: pollMs,
  retryWatchMs: 300_000,
  absent: undefined,
};

/** Keeps the store equal to the pods that match a selection; see `startListWatch`. */
export const startReflector = (
  source: PodSource,
  selection: PodSelection,
  store: PodStore,
  options: ListWatchOptions,
): Reflector =>
  startListWatch<PodRecord, PodEvent>(
    {
      name: "pods",
      list: async (page, signal) => {
        const listed = await source.listPods({ ...selection, ...page }, signal);
        if (!listed.ok) return listed;
        const { pods: items, ...rest } = listed.value;
        return { ok: true, value: { items, ...rest } };
      },
      watch: (resourceVersion, timeoutSeconds, signal) => {
        const sendInitialEvents = resourceVersion === undefined;
        const request = { ...selection, resourceVersion, sendInitialEvents, timeoutSeconds };
        return source.watchPods(request, signal);
      },
      itemOf: ({ pod }) => pod,
      versionOf: ({ pod }) => pod.resourceVersion,
    },
    store,
    pace,
    options,
  );
