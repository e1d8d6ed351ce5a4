import { DisposableStore, disposable, type Disposable } from "../../base/disposable.ts";
import type { JsonMembers, KubeObject } from "../kubeObject.ts";
import type { ApiContext } from "./context.ts";
import { historyPlaceOf } from "./history.ts";
import { apiVersionOf, type Kind } from "./kinds.ts";
import type { Change } from "./objects.ts";
import { inVersion, noVersion, selectorOf, versionOf } from "./read.ts";
import { invalid, Refusal, type FieldProblem } from "./refusal.ts";
import type { RequestTarget } from "./request.ts";

interface WatchSink {
  send(event: WatchEvent): void;
  /** Called at the timeout of the watch, or after an ERROR event; not on disposal. */
  end(): void;
}

export interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  readonly object: JsonMembers;
}

const bookmarkMs = 60_000;
/** Default timeout of a watch. A real API server uses a random one between this value and its double. */
const defaultTimeoutSeconds = 1800;

/**
 * Sends the existing objects, if requested, and then each change to a sink until the timeout or disposal. If the
 * history lacks changes since `resourceVersion`, sends an ERROR event with a 410. Throws a Refusal for invalid options.
 */
export function watch(
  context: ApiContext,
  target: RequestTarget,
  query: URLSearchParams,
  sink: WatchSink,
): Disposable {
  const { objects, history } = context;
  const { kind } = target;
  checkOptions(query);
  const selects = selectorOf(target, query);
  const wantsBookmarks = isTrue(query.get("allowWatchBookmarks"));
  const wantsInitial = query.get("sendInitialEvents");
  const from = query.get("resourceVersion") ?? "";
  const owned = new DisposableStore();
  const end = (): void => {
    owned.dispose();
    sink.end();
  };

  const send = (type: WatchEvent["type"], object: KubeObject): void => {
    sink.send({ type, object: inVersion(kind, object) });
  };
  const sendChange = (change: Change): void => {
    if (change.resource !== kind.resource) return;
    const { object, before } = change;
    const was = before !== undefined && selects(before);
    const is = change.kind !== "deleted" && selects(object);
    if (is) send(was ? "MODIFIED" : "ADDED", object);
    // If an object stops matching, send its last matching state with the current resource version.
    else if (was) send("DELETED", change.kind === "deleted" ? object : withVersion(before, object));
  };
  const sendBookmark = (annotations?: JsonMembers): void => {
    sink.send({ type: "BOOKMARK", object: bookmark(kind, objects.resourceVersion, annotations) });
  };

  const startsWithAll = wantsInitial === null ? from === "" || from === "0" : isTrue(wantsInitial);
  if (startsWithAll) {
    const present = objects.list(kind.resource).filter(selects);
    present
      .sort((a, b) => (historyPlaceOf(a) < historyPlaceOf(b) ? -1 : 1))
      .forEach((one) => {
        send("ADDED", one);
      });
    if (wantsInitial !== null && wantsBookmarks) {
      sendBookmark({ "k8s.io/initial-events-end": "true" });
    }
  } else if (from !== "" && from !== "0") {
    const version = versionOf(from);
    if (version === undefined) throw new Refusal(500, "", noVersion(from));
    try {
      history.after(kind.resource, version).forEach(sendChange);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 410) throw error;
      sink.send({ type: "ERROR", object: error.status });
      end();
      return owned;
    }
  }

  owned.add(objects.onDidChange(sendChange));
  const seconds = Number(query.get("timeoutSeconds") ?? defaultTimeoutSeconds);
  const timeout = setTimeout(end, seconds * 1000);
  const bookmarks = wantsBookmarks ? setInterval(sendBookmark, bookmarkMs) : undefined;
  owned.add(
    disposable(() => {
      clearTimeout(timeout);
      clearInterval(bookmarks);
    }),
  );
  return owned;
}

const withVersion = (before: KubeObject, { metadata }: KubeObject): KubeObject => ({
  ...before,
  metadata: { ...before.metadata, resourceVersion: metadata.resourceVersion ?? "" },
});

const bookmark = (kind: Kind, resourceVersion: number, annotations?: JsonMembers): JsonMembers => ({
  kind: kind.kind,
  apiVersion: apiVersionOf(kind),
  metadata: {
    resourceVersion: String(resourceVersion),
    ...(annotations === undefined ? {} : { annotations }),
  },
});

export const isTrue = (text: string | null): boolean => text === "true" || text === "1";

function checkOptions(query: URLSearchParams): void {
  const match = query.get("resourceVersionMatch") ?? "";
  const initial = query.get("sendInitialEvents");
  const problems: FieldProblem[] = [];
  if (initial === null && match !== "") {
    problems.push({
      reason: "FieldValueForbidden",
      field: "resourceVersionMatch",
      message:
        "Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided",
    });
  }
  if (initial !== null && match === "") {
    problems.push({
      reason: "FieldValueForbidden",
      field: "resourceVersionMatch",
      message: "Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan",
    });
  }
  if (problems.length > 0)
    throw invalid({ kind: "ListOptions", group: "meta.k8s.io" }, "", problems);
}
