import {
  canonicalBody,
  canonicalClaims,
  canonicalPolicy,
  canonicalStates,
  sortKeys,
  unorderedNames,
} from "./canonical.ts";
import { parseJavaProperties } from "../../src/spark/conf/parse/properties.ts";
import { isRecord, type Golden, type GoldenRequest } from "./caseFiles.ts";

/** The result of one run, in the format of a recording. */
export interface Outcome {
  readonly exitCode: number;
  readonly errors: readonly string[];
  readonly requests: readonly GoldenRequest[];
  readonly uploads: readonly { readonly path: string; readonly size: number }[];
  /** Output lines with the state of pods. */
  readonly output: readonly string[];
}

/** Returns one line for each difference between outcome and recording; empty if they are equal. */
export function compare(recorded: Golden, outcome: Outcome): readonly string[] {
  const expected = { ...recorded, requests: canonicalClaims(canonicalPolicy(recorded.requests)) };
  const actual = { ...outcome, requests: canonicalClaims(canonicalPolicy(outcome.requests)) };
  const differences: string[] = [];
  if (expected.exitCode !== actual.exitCode) {
    const why = actual.errors.join(" | ") || (expected.error ?? "");
    differences.push(`exit code ${actual.exitCode} instead of ${expected.exitCode} (${why})`);
  }
  if (expected.exitCode !== 0 && actual.exitCode !== 0 && actual.errors.length === 0) {
    differences.push("the failure gives no reason");
  }
  const unordered = unorderedNames(
    expected.sparkProperties ?? propertiesOf(expected.requests) ?? {},
  );
  const lines = (requests: readonly GoldenRequest[]): readonly string[] =>
    requests.map(({ method, path }) => `${method} ${path}`);
  const wanted = lines(expected.requests);
  const got = lines(actual.requests);
  if (wanted.join("\n") !== got.join("\n")) {
    differences.push(
      "requests:",
      ...wanted.map((line) => `  - ${line}`),
      ...got.map((line) => `  + ${line}`),
    );
    return differences;
  }
  expected.requests.forEach((request, index) => {
    const other = actual.requests[index];
    if (other === undefined) return;
    const place = `${request.method} ${request.path}`;
    for (const field of ["contentType", "authorization"] as const) {
      // Our client sends no charset in the Content-Type of a DELETE. Servers ignore it.
      const isSame =
        field === "contentType" && request.method === "DELETE"
          ? request[field]?.split(";")[0] === other[field]
          : request[field] === other[field];
      if (!isSame) {
        differences.push(
          `${place}: ${field} ${String(other[field])} instead of ${String(request[field])}`,
        );
      }
    }
    if (request.status !== undefined && request.status !== other.status) {
      differences.push(
        `${place}: answered with ${String(other.status)} instead of ${request.status}`,
      );
    }
    differences.push(
      ...compareValues(
        canonicalBody(request.body, unordered),
        canonicalBody(other.body, unordered),
        "",
      ).map((line) => `${place}: ${line}`),
    );
  });
  differences.push(
    ...(expected.sparkProperties
      ? compareValues(expected.sparkProperties, propertiesOf(actual.requests), "properties")
      : []),
    ...compareValues(expected.uploads ?? [], actual.uploads, "uploads"),
    ...compareStates(expected, actual),
  );
  return differences;
}

// A recording lacks the pod states before spark-submit opened its watch, and the order of its first states varies.
function compareStates(expected: Golden, actual: Outcome): readonly string[] {
  if (expected.stdout === undefined && expected.stderr === undefined) return [];
  const recorded = canonicalStates(stateLines(expected));
  const seen = canonicalStates(actual.output.filter((line) => line !== ""));
  const isFollowed = actual.requests.some(({ method }) => method === "FOLLOW");
  if (!isFollowed) return compareValues(recorded, seen, "output");
  const missing = recorded.filter((block) => !seen.includes(block));
  return [
    ...missing.map((block) => `output: not seen: ${JSON.stringify(block)}`),
    ...compareValues(recorded.at(-1), seen.at(-1), "output/last"),
  ];
}

// Returns the output lines with pod states. Spark 3.3 writes them to stdout, later versions to stderr.
function stateLines({ stdout = [], stderr = [] }: Golden): readonly string[] {
  return [...stdout, ...stderr].filter((line) => /^\t+ [a-z ]+: /.test(line));
}

/** Returns the Spark properties in the driver's ConfigMap; undefined if the requests contain no such ConfigMap. */
export function propertiesOf(
  requests: readonly GoldenRequest[],
): Readonly<Record<string, string>> | undefined {
  const text = requests
    .map(({ body }) => (isRecord(body) ? body["data"] : undefined))
    .map((maps) => (isRecord(maps) ? maps["spark.properties"] : undefined))
    .find((each) => typeof each === "string");
  return text === undefined ? undefined : Object.fromEntries(parseJavaProperties(text));
}

function compareValues(expected: unknown, actual: unknown, path: string): readonly string[] {
  if (JSON.stringify(sortKeys(expected)) === JSON.stringify(sortKeys(actual))) return [];
  if (
    isContainer(expected) &&
    isContainer(actual) &&
    Array.isArray(expected) === Array.isArray(actual)
  ) {
    const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
    return [...keys].flatMap((key) =>
      compareValues(Reflect.get(expected, key), Reflect.get(actual, key), `${path}/${key}`),
    );
  }
  return [`${path}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`];
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
