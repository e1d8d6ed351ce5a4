import { isAlive, type Application } from "../../spark/pods/application.ts";
import { findApplication } from "../../spark/pods/applications.ts";
import { isRecord } from "../../base/json.ts";
import { liveWatchIn, watchesIn, type SessionState } from "../apps/sessionState.ts";

/**
 * Identifies an application whose logs are saved, independently of the contexts and namespaces that a window watches.
 */
export interface KeptMark {
  readonly context: string;
  readonly namespace: string;
  /** The application's key without the scope of its context. */
  readonly key: string;
  /** Spark's application id. */
  readonly id: string;
  readonly name: string;
}

export const isKeptMark = (value: unknown): value is KeptMark =>
  isRecord(value) &&
  [value["context"], value["namespace"], value["key"], value["id"], value["name"]].every(
    (member) => typeof member === "string",
  );

/** Returns the mark of an application; undefined if the application is not watched. */
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

/** Returns the current state of a marked application; undefined without a live watch of its namespace. */
export function markedStateOf(
  state: SessionState,
  { context, namespace, key }: KeptMark,
): { readonly application: Application | undefined; readonly isOver: boolean } | undefined {
  const watch = liveWatchIn(state, context, namespace);
  if (watch === undefined) return undefined;
  const application = findApplication(watch.model, watch.model.scope + key);
  return { application, isOver: application === undefined || !isAlive(application) };
}
