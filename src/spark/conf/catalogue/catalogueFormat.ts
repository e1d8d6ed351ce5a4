// The words of the catalogue's table. A row is text: the key, then fields, all parted by tabs. The first
// character of a field is its tag. A field "+XX" says in which versions the fields behind it hold (one bit
// a version, hexadecimal); fields before the first one hold in all. A row in which no `kind` field holds
// for a version is no entry of that version, but a name that Spark knows in some other way.
export const tags = {
  versions: "+",
  /** A kind's letter; for times and sizes `:` and the unit of a bare number; for lists `:` and the element's letter. */
  kind: "k",
  default: "=",
  /** The key that is read when this one is not set. */
  fallback: "f",
  /** An interval: `[1,2097151]`, `(0,1)`, `[0,`; then perhaps `!` and values that are missing in it, or `%` and a step. */
  range: "r",
  /** A letter for how the value is compared, then the allowed values parted by `|`. */
  choices: "c",
  /** A check that is more than a range or a list of values; one of `Form`. */
  form: "m",
  /** Version of Spark that the entry names as its first; missing if it is not said. */
  since: "v",
  internal: "i",
  /** Registered with the SQL session; `static` ones cannot be changed in a running session. */
  sessionSql: "q",
  staticSql: "Q",
  /** Blanks around the value are not taken away when it is read. */
  untrimmed: "u",
  /** The key whose value is put before this one's. */
  prepended: "p",
  /** From a connector that is not part of the distribution. */
  connector: "o",
  /** Not an entry, yet a name in Spark's classes. */
  literal: "w",
  /** An old name: the key that reads it; behind `*` the number that it takes instead. */
  oldNameOf: "a",
  /** Version since which Spark warns of the key; behind `>` the key to use instead. */
  deprecated: "x",
  /** Version since which Spark refuses to set the key; behind `>` the key to use, behind `=` the one value that is still taken. */
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

/** How a value is compared with the allowed ones. */
export const comparisonLetters = {
  exact: "x",
  /** Made upper or lower case before the comparison, blanks kept. */
  upper: "u",
  lower: "l",
  /** An enum: blanks taken away, any case. */
  trimmedAnyCase: "i",
} as const;

export type Comparison = keyof typeof comparisonLetters;

/** Units of bare numbers. */
export const timeUnits = ["nanoseconds", "milliseconds", "seconds", "minutes"] as const;
export const byteUnits = ["BYTE", "KiB", "MiB"] as const;
export type TimeUnit = (typeof timeUnits)[number];
export type ByteUnit = (typeof byteUnits)[number];

/** Checks with a name. */
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
