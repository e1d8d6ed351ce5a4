// The format of the catalogue's table. A row contains the key and its fields, separated by tabs. The first character of
// a field is its tag. A field "+XX" is a hexadecimal mask with one bit per version: the fields up to the next mask
// apply to these versions. Fields before the first mask apply to all versions. If only fields other than `kind` apply
// to a version, that Spark version knows the name but declares no entry.
export const tags = {
  versions: "+",
  /**
   * A kind's letter; for times and sizes `:` and the default unit; for lists `:` and the letter of the elements' kind.
   */
  kind: "k",
  default: "=",
  /** The fallback key, read if this one is not set. */
  fallback: "f",
  /** An interval: `[1,2097151]`, `(0,1)`, `[0,`; then optionally `!` and excluded values, or `%` and a step. */
  range: "r",
  /** A letter for the comparison of values, then the allowed values separated by `|`. */
  choices: "c",
  /** A check beyond a range or a list of values; one of `Form`. */
  form: "m",
  /** The Spark version that introduced the entry, if declared. */
  since: "v",
  internal: "i",
  /** Registered with the SQL session; `static` ones cannot be changed in a running session. */
  sessionSql: "q",
  staticSql: "Q",
  /** Spark does not trim the value. */
  untrimmed: "u",
  /** The key whose value is prepended to this key's value. */
  prepended: "p",
  /** Declared by a connector outside the distribution. */
  connector: "o",
  /** A name that Spark's classes use without declaring an entry. */
  literal: "w",
  /** For an old name: the current key. If the old name's value is a number without a unit, `*` and its kind follow. */
  oldNameOf: "a",
  /** The version since which Spark warns about the key; after `>` the replacement. */
  deprecated: "x",
  /** The version since which Spark rejects the key; after `>` the replacement, after `=` the only accepted value. */
  removed: "z",
} as const;

export const kindLetters = {
  boolean: "b",
  int: "i",
  long: "l",
  double: "d",
  decimal: "n",
  string: "s",
  time: "t",
  bytes: "y",
  list: "a",
  regex: "r",
} as const;

export type ValueKind = keyof typeof kindLetters;

/** Letters for the ways to compare a value with the allowed values. */
export const comparisonLetters = {
  exact: "x",
  /** Spark converts the value to upper or lower case before it compares, but does not trim it. */
  upper: "u",
  lower: "l",
  /** For an enum: the value is trimmed, and its case is ignored. */
  trimmedAnyCase: "i",
} as const;

export type Comparison = keyof typeof comparisonLetters;

/** The units in which Spark reads a time or size without a unit. */
export const timeUnits = ["nanoseconds", "milliseconds", "seconds", "minutes"] as const;
export const byteUnits = ["BYTE", "KiB", "MiB"] as const;
export type TimeUnit = (typeof timeUnits)[number];
export type ByteUnit = (typeof byteUnits)[number];

/** The named checks of values. */
export const forms = [
  "idPattern",
  "workerIdPattern",
  "serialFilter",
  "nonEmptyList",
  "podNamePrefix",
  "storageLevel",
  "trailingSlash",
  "proxyFreeUrl",
  "onlyDefault",
  "socketDirectory",
  "noKafkaPrefix",
  "regexOrEmpty",
  "regexList",
  "nineDecimals",
  "className",
  "hiveVersion",
  "timeZone",
  "sqlPath",
] as const;

export type Form = (typeof forms)[number];
