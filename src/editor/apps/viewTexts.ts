import { dotted, listed, msg, sentences, type Message } from "../../base/message.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { GuardKind } from "../../engine/contextGuard.ts";
import { isAlive, type Application } from "../../spark/pods/application.ts";
import {
  isInTrouble,
  matchesFilter,
  stateClassOf,
  type ApplicationFilter,
} from "../../spark/pods/applicationFilter.ts";
import { describeFilter } from "./filterChoices.ts";
import { guardMessage, markedContext } from "./guardMarks.ts";
import { contextsIn, watchesIn, type SessionState } from "./sessionState.ts";
import { watchMessageOf } from "./watchWords.ts";

/** The message, badge and description of the view of applications. */
interface ViewTexts {
  /** The line above the rows; undefined if there is none. */
  readonly message: Message | undefined;
  readonly description: Message | undefined;
  readonly badge: { readonly value: number; readonly tooltip: Message } | undefined;
}

interface ViewFacts {
  readonly state: SessionState;
  readonly applications: readonly Application[];
  readonly filter: ApplicationFilter;
  readonly profileOf: (application: Application) => string | undefined;
  readonly guardOf: (context: string) => GuardKind;
  readonly explain: (error: ClusterError) => string;
}

export function viewTexts(facts: ViewFacts): ViewTexts {
  const { state, applications, filter, profileOf, guardOf, explain } = facts;
  const words = describeFilter(filter);
  const isHidden =
    words !== undefined &&
    applications.length > 0 &&
    !applications.some((application) => matchesFilter(filter, application, profileOf));
  const contexts = contextsIn(state).map((context) => ({ context, guard: guardOf(context) }));
  const trouble = watchMessageOf(state, explain);
  // Show no guards without rows, because a message would replace the welcome view of an empty tree.
  const guards = applications.length === 0 || isHidden ? undefined : guardMessage(contexts);
  return {
    // Mention the filter only beside a problem: without a message, the welcome view offers to clear the filter.
    message:
      isHidden && trouble !== undefined
        ? sentences([trouble, msg`No applications match: ${words}. Use Clear Filter to show all.`])
        : (trouble ?? guards),
    description: dotted([
      listed(contexts.map(markedContext)),
      // Name the watched namespaces of an empty tree here, because its welcome view cannot.
      applications.length === 0 ? watchedWords(state) : undefined,
      words,
    ]),
    badge: badgeOf(applications),
  };
}

/**
 * Returns the part of the description that names the watched namespaces; undefined while one of their watches is not
 * live.
 */
function watchedWords(state: SessionState): Message | undefined {
  const watches = watchesIn(state);
  if (watches.some(({ freshness }) => freshness.kind !== "live")) return undefined;
  if (watches.some(({ namespace }) => namespace === undefined)) return msg("all namespaces");
  const names = [...new Set(watches.map(({ namespace }) => namespace ?? ""))];
  if (names.length > maxNamed) return msg`${names.length} namespaces`;
  const quoted = listed(names.map((name) => msg`"${name}"`));
  return names.length === 1
    ? quoted && msg`namespace ${quoted}`
    : quoted && msg`namespaces ${quoted}`;
}

// The title of a view has no room for more names.
const maxNamed = 3;

function badgeOf(applications: readonly Application[]): ViewTexts["badge"] {
  const running = applications.filter((one) => stateClassOf(one) === "running").length;
  const troubled = applications.filter((one) => isAlive(one) && isInTrouble(one)).length;
  if (running === 0 && troubled === 0) return undefined;
  return {
    value: Math.max(running, troubled),
    tooltip:
      troubled === 0
        ? msg`Spark applications running: ${running}`
        : msg`Spark applications running: ${running}, unhealthy: ${troubled}`,
  };
}

/** True if the rows are grouped by namespace, because there are several watches or a watch covers all namespaces. */
export const groupsByNamespace = (state: SessionState): boolean =>
  state.kind === "connected" &&
  (state.watches.length > 1 || state.watches.some(({ namespace }) => namespace === undefined));
