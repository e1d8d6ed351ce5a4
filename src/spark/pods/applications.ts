import { isAlive, type Application } from "./application.ts";
import {
  driversAfter,
  editRun,
  editsByRun,
  splitRuns,
  touchesDriver,
  type RunEdit,
} from "./applicationRun.ts";
import { compareText } from "./compareText.ts";
import {
  applicationOfResource,
  joinResource,
  linkedResourceKey,
  needsOwnRow,
} from "./operatedApplication.ts";
import { resourceKeyOf, type OperatorResource } from "./operatorResource.ts";
import { editOrdered, emptyOrdered, type Ordered } from "./ordered.ts";
import { applicationIdOf } from "./origin.ts";
import type { PodRecord } from "./podRecord.ts";
import { podsOf, type PodChanges, type PodSnapshot } from "./podSnapshot.ts";
import { emptyTrie, trieGet, trieRemove, trieSet, trieValues, type Trie } from "./trie.ts";

/**
 * All applications at one moment: an immutable value that shares unchanged parts with its
 * predecessor.
 */
export interface ApplicationModel {
  /** The prefix of all keys. With it, models of several clusters can be merged. */
  readonly scope: string;
  readonly byKey: Trie<Application>;
  /** Newest first. */
  readonly applications: Ordered<Application>;
  readonly resources: Trie<OperatorResource>;
  /** Application keys by the key of their custom resource. */
  readonly runsOf: Trie<readonly string[]>;
}

export interface ModelStep {
  readonly model: ApplicationModel;
  /** Keys of added, removed and changed applications. */
  readonly changedKeys: ReadonlySet<string>;
}

export const emptyModel: ApplicationModel = Object.freeze({
  scope: "",
  byKey: emptyTrie,
  applications: emptyOrdered,
  resources: emptyTrie,
  runsOf: emptyTrie,
});

export const findApplication = (model: ApplicationModel, key: string): Application | undefined =>
  trieGet(model.byKey, key);

export const applicationKeyOf = (pod: PodRecord): string =>
  `${pod.namespace}/${applicationIdOf(pod)}`;

/** Builds the model of a snapshot and of the known custom resources. */
export const buildApplications = (
  snapshot: PodSnapshot,
  resources: Iterable<OperatorResource> = [],
): ApplicationModel =>
  updateApplications(updateResources(emptyModel, [...resources], []).model, {
    added: [...podsOf(snapshot)],
    modified: [],
    removed: [],
  }).model;

/**
 * Returns the next model. Processes only the applications of changed pods. Unchanged applications and executors stay
 * the same objects.
 */
export function updateApplications(model: ApplicationModel, changes: PodChanges): ModelStep {
  const edits = new Map<string, RunEdit>();
  let latest: { readonly pod: PodRecord; readonly edit: RunEdit } | undefined;
  const editOf = (pod: PodRecord): RunEdit => {
    // Fast path: consecutive pods mostly belong to the same application.
    if (latest !== undefined && isOfSameApplication(latest.pod, pod)) return latest.edit;
    const key = model.scope + applicationKeyOf(pod);
    const edit = edits.get(key) ?? { replaced: [], removed: [], come: [] };
    edits.set(key, edit);
    latest = { pod, edit };
    return edit;
  };
  for (const removal of changes.removed)
    editOf(removal.before ?? removal.last).removed.push(removal);
  for (const { before, after } of changes.modified) {
    editOf(before).replaced.push(before);
    editOf(after).come.push(after);
  }
  for (const pod of changes.added) editOf(pod).come.push(pod);

  const draft = new ModelDraft(model);
  for (const [key, edit] of edits) {
    const former = draft.get(key)?.formerKeys ?? [];
    if (former.length === 0 && !touchesDriver(edit)) {
      draft.put(key, editRun(key, draft.get(key), edit));
      continue;
    }
    const runs = [key, ...former].flatMap((run) => draft.get(run) ?? []);
    if (!needsSplit(runs, edit)) {
      for (const [run, own] of editsByRun(key, former, edit)) {
        draft.put(run, editRun(run, draft.get(run), own));
      }
      continue;
    }
    const split = splitRuns(key, runs, edit);
    for (const run of former) draft.put(run, undefined);
    for (const run of split) draft.put(run.key, run);
    if (split.length === 0) draft.put(key, undefined);
  }
  return draft.finish();
}

const isOfSameApplication = (a: PodRecord, b: PodRecord): boolean =>
  a.namespace === b.namespace && applicationIdOf(a) === applicationIdOf(b);

/** Returns the next model after changes to custom resources. */
export function updateResources(
  model: ApplicationModel,
  come: readonly OperatorResource[],
  gone: readonly OperatorResource[],
): ModelStep {
  const draft = new ModelDraft(model);
  for (const resource of gone)
    draft.putResource(resourceKeyOf(resource.namespace, resource), undefined);
  for (const resource of come)
    draft.putResource(resourceKeyOf(resource.namespace, resource), resource);
  return draft.finish();
}

/** Returns the known custom resources of one kind. */
export const resourcesOfKind = (
  model: ApplicationModel,
  kind: { readonly apiVersion: string; readonly kind: string },
): readonly OperatorResource[] =>
  [...trieValues(model.resources)].filter(
    (one) =>
      one.kind === kind.kind &&
      (one.operator === "apache") === kind.apiVersion.startsWith("spark.apache.org/"),
  );

/** Collects changes to a model and builds the next model from them. */
class ModelDraft {
  readonly #model: ApplicationModel;
  /** The applications read or changed so far. */
  readonly #drafts = new Map<string, ApplicationDraft>();
  #resources: Trie<OperatorResource>;
  #runsOf: Trie<readonly string[]>;

  constructor(model: ApplicationModel) {
    this.#model = model;
    this.#resources = model.resources;
    this.#runsOf = model.runsOf;
  }

  get(key: string): Application | undefined {
    return this.#draftOf(key).after;
  }

  /** Stores an application built from its pods and joins it with its custom resource. */
  put(key: string, run: Application | undefined): void {
    const before = this.get(key);
    const link = linkedResourceKey(before);
    const nextLink = linkedResourceKey(run);
    const resource = nextLink === undefined ? undefined : trieGet(this.#resources, nextLink);
    this.#set(key, run && joinResource(run, resource));
    if (link !== nextLink) {
      if (link !== undefined) this.#unlink(link, key);
      if (nextLink !== undefined) this.#link(nextLink, key);
    }
    for (const touched of [link, nextLink]) if (touched !== undefined) this.#settle(touched);
  }

  putResource(resourceKey: string, resource: OperatorResource | undefined): void {
    this.#resources =
      resource === undefined
        ? trieRemove(this.#resources, resourceKey)
        : trieSet(this.#resources, resourceKey, resource);
    for (const key of trieGet(this.#runsOf, resourceKey) ?? []) {
      const run = this.get(key);
      if (run !== undefined) this.#set(key, joinResource(run, resource));
    }
    this.#settle(resourceKey);
  }

  finish(): ModelStep {
    let { byKey } = this.#model;
    const gone: Application[] = [];
    const come: Application[] = [];
    const changedKeys = new Set<string>();
    for (const [key, { before, after }] of this.#drafts) {
      if (before === after) continue;
      changedKeys.add(key);
      // If the creation time is unchanged, the new version sorts equal to the old one and replaces it.
      if (before !== undefined && before.createdAt !== after?.createdAt) gone.push(before);
      if (after !== undefined) come.push(after);
      byKey = after === undefined ? trieRemove(byKey, key) : trieSet(byKey, key, after);
    }
    if (changedKeys.size === 0 && this.#resources === this.#model.resources) {
      return { model: this.#model, changedKeys };
    }
    const model = {
      scope: this.#model.scope,
      byKey,
      applications: editOrdered(this.#model.applications, gone, come, newestFirst),
      resources: this.#resources,
      runsOf: this.#runsOf,
    };
    return { model, changedKeys };
  }

  /** Adds an application for a custom resource without current pods, and removes it once such pods exist. */
  #settle(resourceKey: string): void {
    const resource = trieGet(this.#resources, resourceKey);
    const runs = (trieGet(this.#runsOf, resourceKey) ?? []).flatMap((key) => this.get(key) ?? []);
    const alone = resource !== undefined && needsOwnRow(resource, runs);
    const key = this.#model.scope + resourceKey;
    const shown = alone ? applicationOfResource(key, resource) : undefined;
    if (shown?.resource !== this.get(key)?.resource) this.#set(key, shown);
  }

  #set(key: string, application: Application | undefined): void {
    this.#draftOf(key).after = application;
  }

  #draftOf(key: string): ApplicationDraft {
    const known = this.#drafts.get(key);
    if (known !== undefined) return known;
    const before = trieGet(this.#model.byKey, key);
    const draft = { before, after: before };
    this.#drafts.set(key, draft);
    return draft;
  }

  #link(resourceKey: string, key: string): void {
    this.#runsOf = trieSet(this.#runsOf, resourceKey, [
      ...(trieGet(this.#runsOf, resourceKey) ?? []),
      key,
    ]);
  }

  #unlink(resourceKey: string, key: string): void {
    const left = (trieGet(this.#runsOf, resourceKey) ?? []).filter((one) => one !== key);
    this.#runsOf =
      left.length === 0
        ? trieRemove(this.#runsOf, resourceKey)
        : trieSet(this.#runsOf, resourceKey, left);
  }
}

interface ApplicationDraft {
  readonly before: Application | undefined;
  after: Application | undefined;
}

/**
 * True if the pods of an application id must be assigned to runs again: a second driver appeared, or one of several
 * drivers appeared or disappeared. The creation and the deletion of a single driver do not require it.
 */
function needsSplit(runs: readonly Application[], edit: RunEdit): boolean {
  if (!touchesDriver(edit)) return false;
  const known = new Set(runs.flatMap((run) => (run.driver ?? run.past.driver)?.pod.uid ?? []));
  const after = driversAfter(runs, edit);
  const isNew = [...after].some((uid) => !known.has(uid));
  if (runs.length > 1) return isNew || after.size < runs.length;
  return after.size > 1 || (isNew && known.size > 0);
}

const newestFirst = (a: Application, b: Application): number =>
  compareText(b.createdAt, a.createdAt) || compareText(a.key, b.key);

/**
 * Groups the applications by name, namespace and run profile. Returns the ended earlier runs of each group, by the key
 * of the run whose row they follow: the newest run, or the oldest live one if the newest is live. `profileOf`: returns
 * undefined if the run profile is unknown.
 */
export function earlierRuns(
  applications: Iterable<Application>,
  profileOf: (application: Application) => string | undefined,
): ReadonlyMap<string, readonly Application[]> {
  const series = new Map<string, Application[]>();
  for (const application of applications) {
    const { namespace, name } = application;
    const id = JSON.stringify([namespace, name, profileOf(application)]);
    const runs = series.get(id) ?? [];
    series.set(id, runs);
    runs.push(application);
  }
  return new Map([...series.values()].flatMap(seriesRuns));
}

/** `runs`: newest first. */
function seriesRuns(runs: readonly Application[]): [string, readonly Application[]][] {
  const [newest] = runs;
  if (newest === undefined) return [];
  const ended = runs.slice(1).filter((run) => !isAlive(run));
  const before = (isAlive(newest) && runs.findLast(isAlive)) || newest;
  return ended.length === 0 ? [] : [[before.key, ended]];
}
