interface Named {
  /** Unique within a cluster. */
  readonly key: string;
  readonly id: string;
  readonly name: string;
}

/** Returns `"pi"`, or `"pi" (spark-1a2b)` for each of several applications with the same name. */
export function distinctNames(applications: readonly Named[]): readonly string[] {
  const distinguish = distinguisherOf(applications, ({ id }) => id);
  return applications.map((one) => withMark(`"${one.name}"`, distinguish(one)));
}

/** Returns a function that names one application of `all`, as `distinctNames` does but without quotes. */
export function distinctNameIn(all: readonly Named[]): (application: Named) => string {
  const distinguish = distinguisherOf(all, ({ id }) => id);
  return (application) => withMark(application.name, distinguish(application));
}

/**
 * As `distinctNameIn`, but with only the end of a long id: `pi (…9f1a2b)`. Short, because each line of a log starts
 * with the name.
 */
export function shortNameIn(all: readonly Named[]): (application: Named) => string {
  const distinguish = distinguisherOf(all, shortId);
  return (application) => withMark(application.name, distinguish(application));
}

interface Placed {
  readonly namespace: string;
  readonly name: string;
}

/** Returns a function that returns the name of an object, with its namespace if `all` are in several namespaces. */
export function placedNameIn(all: readonly Placed[]): (object: Placed) => string {
  const areTogether = new Set(all.map(({ namespace }) => namespace)).size <= 1;
  return ({ namespace, name }) => (areTogether ? name : `${namespace}/${name}`);
}

const withMark = (name: string, mark: string | undefined): string =>
  mark === undefined ? name : `${name} (${mark})`;

const idEnd = 6;

const shortId = ({ id }: Named): string => (id.length > 2 * idEnd ? `…${id.slice(-idEnd)}` : id);

/**
 * Returns a function that returns the text that distinguishes an application from others with its name: its id, or its
 * key if another one also has its id. The function returns undefined for a unique name.
 */
function distinguisherOf(
  all: readonly Named[],
  idOf: (application: Named) => string,
): (application: Named) => string | undefined {
  const keysBy = new Map<string, Set<string>>();
  const add = (text: string, key: string): void => {
    keysBy.set(text, (keysBy.get(text) ?? new Set()).add(key));
  };
  for (const one of all) {
    add(one.name, one.key);
    add(JSON.stringify([one.name, idOf(one)]), one.key);
  }
  const isOnly = (text: string): boolean => (keysBy.get(text)?.size ?? 0) <= 1;
  return (one) => {
    if (isOnly(one.name)) return undefined;
    return isOnly(JSON.stringify([one.name, idOf(one)])) ? idOf(one) : one.key;
  };
}
