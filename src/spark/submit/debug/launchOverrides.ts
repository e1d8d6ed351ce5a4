import { fieldsOf, isRecord, type Fields } from "../../../base/json.ts";

/**
 * Overrides a profile's definition with the members of a launch configuration. Merges `conf` by key; the members win.
 */
export function withOverrides<Definition extends Fields>(
  definition: Definition,
  overrides: Fields,
): Definition {
  if (Object.keys(overrides).length === 0) return definition;
  const { conf } = overrides;
  const merged = isRecord(conf) ? { conf: { ...fieldsOf(definition["conf"]), ...conf } } : {};
  return { ...definition, ...overrides, ...merged };
}
