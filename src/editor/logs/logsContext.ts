import type { Clock, Random } from "../../engine/ports.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import type { Log } from "../log.ts";

/** What everything about logs works with. */
export interface LogsContext {
  readonly session: ClusterSession;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}
