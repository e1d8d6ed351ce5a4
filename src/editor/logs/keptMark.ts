import { isAlive, type Application } from "../../spark/pods/application.ts";
import { findApplication } from "../../spark/pods/applications.ts";
import { liveWatchIn, watchesIn, type SessionState } from "../apps/sessionState.ts";

/** An application whose logs are kept, whatever clusters and namespaces a window looks at. */
export interface KeptMark {
  readonly context: string;
  readonly namespace: string;
  /** What stands behind the scope of the cluster in the application's key. */
  readonly key: string;
  /** Spark's id of the application, and its name. */
  readonly id: string;
  readonly name: string;
}

/** Undefined: it is not among those that are known now. */
export function markOf(
  state: SessionState,
  { key, id, name, namespace }: Application,
): KeptMark | undefined {
  const watch = watchesIn(state).find(({ model }) => findApplication(model, key));
  return (
    watch && {
      context: watch.context,
      namespace,
      key: key.slice(watch.model.scope.length),
      id,
      name,
    }
  );
}

export const nameOfMark = ({ context, key }: KeptMark): string => `${context}|${key}`;

/** What is known of a marked application; undefined where nobody watches its place, or not as it is now. */
export function seeMarked(
  state: SessionState,
  { context, namespace, key }: KeptMark,
): { readonly application: Application | undefined; readonly isOver: boolean } | undefined {
  const watch = liveWatchIn(state, context, namespace);
  if (watch === undefined) return undefined;
  const application = findApplication(watch.model, watch.model.scope + key);
  return { application, isOver: application === undefined || !isAlive(application) };
}
