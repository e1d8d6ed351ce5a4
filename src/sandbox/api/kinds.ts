import { Emitter, type Event } from "../../base/emitter.ts";
import { schemas, servedResources, type Column, type OpenApiSchema } from "../schema/schema.ts";
import type { StoredResource } from "./objects.ts";

/** A kind in one version, as the API server serves it. */
export interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly Subresource[];
  readonly schema: OpenApiSchema;
  readonly columns: readonly Column[];
  /** Key of the kind in the store; the same for all versions of a custom kind. */
  readonly resource: StoredResource;
  /** Undefined for built-in kinds. */
  readonly custom: CustomKind | undefined;
}

export interface Subresource {
  readonly name: string;
  readonly kind: string;
  readonly group: string | undefined;
  readonly version: string | undefined;
  readonly verbs: readonly string[];
}

interface CustomKind {
  readonly listKind: string;
  /** JSONPath of each column after the name. */
  readonly columnPaths: readonly string[];
  /** True if `status` is a subresource, which only requests to its own path can change. */
  readonly hasStatus: boolean;
  readonly storageVersion: string;
}

export const apiVersionOf = ({ group, version }: { group: string; version: string }): string =>
  group === "" ? version : `${group}/${version}`;

/** Returns the key of a kind in the store, such as `pods` or `sparkapplications.sparkoperator.k8s.io`. */
export const storedResourceOf = ({
  plural,
  group,
}: {
  plural: string;
  group: string;
}): StoredResource => (group === "" ? plural : `${plural}.${group}`);

export const listKindOf = ({ kind, custom }: Kind): string => custom?.listKind ?? `${kind}List`;

/** The served kinds: built-in kinds, and the kinds of CustomResourceDefinitions, which change at run time. */
export class Kinds {
  readonly #all = new Map<string, Kind>();
  readonly #changes: Emitter<undefined>;

  constructor(onError: (error: unknown) => void) {
    this.#changes = new Emitter(onError);
    for (const kind of builtIn()) this.#all.set(placeOf(kind), kind);
  }

  get onDidChange(): Event<undefined> {
    return this.#changes.event;
  }

  all(): readonly Kind[] {
    return [...this.#all.values()];
  }

  /** Finds a kind by the group, version and plural in a path; undefined if it is not served. */
  find(group: string, version: string, plural: string): Kind | undefined {
    return this.#all.get(placeOf({ group, version, plural }));
  }

  /** Finds a kind by an object's `apiVersion` and `kind`; undefined if it is not served. */
  named(apiVersion: string, kind: string): Kind | undefined {
    return this.all().find((one) => one.kind === kind && apiVersionOf(one) === apiVersion);
  }

  /** Finds a kind by its key in the store, in any served version; undefined if it is not served. */
  of(resource: StoredResource): Kind | undefined {
    return this.all().find((one) => one.resource === resource);
  }

  replaceCustom(resource: StoredResource, kinds: readonly Kind[]): void {
    for (const [place, kind] of this.#all) {
      if (kind.custom !== undefined && kind.resource === resource) this.#all.delete(place);
    }
    for (const kind of kinds) this.#all.set(placeOf(kind), kind);
    this.#changes.fire(undefined);
  }
}

const placeOf = (kind: { group: string; version: string; plural: string }): string =>
  `${kind.group}/${kind.version}/${kind.plural}`;

function builtIn(): readonly Kind[] {
  return servedResources
    .filter(({ name }) => !name.includes("/"))
    .map((served) => {
      const { group, version } = served.serving;
      const plural = served.name;
      return {
        group,
        version,
        plural,
        kind: served.kind,
        singular: served.singularName,
        shortNames: served.shortNames ?? [],
        categories: served.categories ?? [],
        namespaced: served.namespaced,
        verbs: served.verbs,
        subresources: servedResources.flatMap((sub) =>
          sub.serving.group === group && sub.name.startsWith(`${plural}/`)
            ? [
                {
                  name: sub.name.slice(plural.length + 1),
                  kind: sub.kind,
                  group: sub.group,
                  version: sub.version,
                  verbs: sub.verbs,
                },
              ]
            : [],
        ),
        schema: schemas[served.schema ?? ""] ?? {},
        columns: served.columns ?? [],
        resource: storedResourceOf({ plural, group }),
        custom: undefined,
      };
    });
}
