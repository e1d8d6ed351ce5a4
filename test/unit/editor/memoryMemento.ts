import type { Memento } from "vscode";

/** Returns an in-memory `Memento`. As in VS Code, the value undefined deletes an entry. */
export function memoryMemento(entries: readonly (readonly [string, unknown])[] = []): Memento {
  const values = new Map<string, unknown>(entries);
  return {
    keys: () => [...values.keys()],
    get: <T>(key: string, fallback?: T) => (values.get(key) as T | undefined) ?? fallback,
    update: (key: string, value: unknown) => {
      if (value === undefined) values.delete(key);
      else values.set(key, value);
      return Promise.resolve();
    },
  };
}
