/**
 * Memoizes a pure function of an immutable object, as long as the object lives. `name` tells apart several
 * results of one object. Further arguments must not change the result: they only help to compute it.
 */
export function weakMemo<Key extends object, Rest extends readonly unknown[], Value>(
  compute: (key: Key, name: string, ...rest: Rest) => Value,
): (key: Key, name: string, ...rest: Rest) => Value {
  const results = new WeakMap<Key, Map<string, { readonly value: Value }>>();
  return (key, name, ...rest) => {
    const byName = results.get(key) ?? new Map<string, { readonly value: Value }>();
    results.set(key, byName);
    const result = byName.get(name) ?? { value: compute(key, name, ...rest) };
    byName.set(name, result);
    return result.value;
  };
}
