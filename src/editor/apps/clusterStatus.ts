import { assertNever } from "../../base/assertNever.ts";
import { msg, type Message, type MessageText } from "../../base/message.ts";
import { clusterErrorWords } from "../../engine/clusterErrorWords.ts";
import { strictestGuard, type GuardKind } from "../../engine/contextGuard.ts";
import { contextsIn, type NamespaceWatch, type SessionState } from "./sessionState.ts";

/** The contents of the status bar item. */
interface ClusterStatus {
  readonly text: MessageText;
  /** One message for each line. */
  readonly tooltip: readonly Message[];
  readonly icon: string;
  readonly isStale: boolean;
}

/** Returns the contents of the status bar item; undefined while the session is idle. */
export function clusterStatus(
  state: SessionState,
  guardOf: (context: string) => GuardKind,
  show: (name: Message) => string,
): ClusterStatus | undefined {
  switch (state.kind) {
    case "idle":
      return undefined;
    case "connecting":
      return {
        text: msg("Connecting…"),
        tooltip: [msg("Spark: connecting to the cluster")],
        icon: guardIcons.none,
        isStale: false,
      };
    case "failed":
      // Show no warning color, because users who only edit conf files need no kubeconfig.
      return {
        text: msg("No cluster"),
        tooltip: [msg`Spark: ${clusterErrorWords(state.error).what}`],
        icon: guardIcons.none,
        isStale: false,
      };
    case "connected": {
      const { connection, watches } = state;
      const contexts = contextsIn(state);
      const trouble = watches.find(
        ({ freshness }) => freshness.kind === "stale" || freshness.kind === "failed",
      );
      const places = contexts.map((context) => {
        const ofContext = watches.filter((watch) => watch.context === context);
        const names = ofContext.map(({ namespace }) => namespace ?? show(msg("all namespaces")));
        return `${context}/${names.join(", ")}`;
      });
      const guard = strictestGuard(contexts.map(guardOf));
      return {
        text: places.join("; "),
        tooltip: [serverWords(connection.server, trouble), ...guardWords(guard)],
        icon: guardIcons[guard],
        isStale: trouble !== undefined,
      };
    }
    default:
      return assertNever(state);
  }
}

const guardIcons: Readonly<Record<GuardKind, string>> = {
  none: "zap",
  typeName: "shield",
  readOnly: "lock",
};

function guardWords(guard: GuardKind): readonly Message[] {
  switch (guard) {
    case "none":
      return [];
    case "typeName":
      return [msg("Guarded: changes require typing the name of the context.")];
    case "readOnly":
      return [msg("Read-only: no changes are allowed.")];
    default:
      return assertNever(guard);
  }
}

function serverWords(server: string, trouble: NamespaceWatch | undefined): Message {
  const { freshness } = trouble ?? {};
  if (freshness === undefined || !("error" in freshness)) {
    return msg`Spark applications on ${server}. Click to choose another cluster.`;
  }
  return msg`Spark applications on ${server} are stale: ${clusterErrorWords(freshness.error).what}`;
}
