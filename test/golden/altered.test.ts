// Proves that the comparison detects every relevant difference: each altered recording must fail its case.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isRecord, type Golden, type GoldenCase, type GoldenRequest } from "./caseFiles.ts";
import { readPacked } from "./packed.ts";
import { editsBetween, withEdits, type Edit } from "./patch.ts";
import { runAll } from "./runAll.ts";

const version = "4.3.0";
const cases = readPacked();
const byId = new Map(cases.map((golden) => [golden.id, golden] as const));

// Covers plain cases, many objects, failures with and without requests, an undo, a kill, a followed application, and
// two deliberate differences.
const chosen = [
  "app-001-jvm",
  "app-020-noclass",
  "dep-001",
  "fail-003",
  "fail-007",
  "feat-008",
  "had-011",
  "kill-001",
  "kill-009",
  "tmpl-006",
  "vol-012",
  "watch-004",
  "cli-049-nowait-bad",
  "fail-022",
];

type Alteration = (golden: Golden) => Golden | undefined;

const onRequests =
  (
    alter: (requests: readonly GoldenRequest[]) => readonly GoldenRequest[] | undefined,
  ): Alteration =>
  (golden) => {
    const requests = golden.requests.length === 0 ? undefined : alter(golden.requests);
    return requests && { ...golden, requests };
  };

const alterations: Readonly<Record<string, Alteration>> = {
  "an exit code that is off": (golden) => ({ ...golden, exitCode: golden.exitCode === 0 ? 1 : 0 }),
  "a field of a body that is changed": onRequests((requests) => changeLeaf(requests, "last")),
  "another field of a body that is changed": onRequests((requests) =>
    changeLeaf(requests, "first"),
  ),
  "a field too many": onRequests((requests) => {
    const index = requests.findIndex(({ body }) => isRecord(body));
    return index < 0
      ? undefined
      : requests.map((request, at) =>
          at === index ? { ...request, body: { ...asRecord(request.body), surplus: 1 } } : request,
        );
  }),
  "two requests that are swapped": onRequests((requests) => {
    // Swapping two requests to the same path would change nothing, so swap two with different paths.
    const at = requests.findIndex(
      ({ path }, index) => (requests[index + 1]?.path ?? path) !== path,
    );
    const [first, second] = [requests[at], requests[at + 1]];
    return first && second
      ? [...requests.slice(0, at), second, first, ...requests.slice(at + 2)]
      : undefined;
  }),
  "a request that is missing": onRequests((requests) =>
    requests.some(({ upgrade }) => upgrade) ? requests.slice(1) : requests.slice(0, -1),
  ),
  "a request too many": onRequests((requests) => [
    ...requests,
    { method: "GET", path: "/api/v1/namespaces/default/secrets/surplus", status: 200 },
  ]),
  "a path that is changed": onRequests(([first, ...rest]) =>
    first ? [{ ...first, path: `${first.path}x` }, ...rest] : undefined,
  ),
  "a credential that is changed": onRequests(([first, ...rest]) =>
    first ? [{ ...first, authorization: "Bearer surplus" }, ...rest] : undefined,
  ),
  "a content type that is changed": onRequests(([first, ...rest]) =>
    first ? [{ ...first, contentType: "text/plain" }, ...rest] : undefined,
  ),
  "a property that is changed": (golden) =>
    golden.sparkProperties && {
      ...golden,
      sparkProperties: { ...golden.sparkProperties, "spark.app.name": "surplus" },
    },
  "a property that is missing": (golden) => {
    const { "spark.app.name": name, ...rest } = golden.sparkProperties ?? {};
    return name === undefined ? undefined : { ...golden, sparkProperties: rest };
  },
  "an upload that is missing": (golden) =>
    golden.uploads && golden.uploads.length > 0
      ? { ...golden, uploads: golden.uploads.slice(1) }
      : undefined,
};

for (const [name, alter] of Object.entries(alterations)) {
  test(`${name} fails any recording`, async () => {
    const altered = chosen.flatMap((id) => {
      const golden = byId.get(id);
      assert.ok(golden, id);
      const recording = alter(golden.recording(version));
      return recording ? [withRecording(golden, recording)] : [];
    });
    assert.ok(altered.length > 0);
    const passed: string[] = [];
    await runAll(
      altered.map((golden) => ({ golden, version })),
      ({ golden }, { differences }) => {
        if (differences.length === 0) passed.push(golden.id);
      },
    );
    assert.deepEqual(passed, []);
  });
}

test("edits between two recordings transform one into the other", () => {
  const recordings = cases.slice(0, 40).map((golden) => golden.recording(version));
  for (const [index, to] of recordings.entries()) {
    const from = recordings[(index + 7) % recordings.length];
    assert.deepEqual(withEdits(from, editsBetween(from, to)), to);
  }
});

function withRecording(golden: GoldenCase, recording: Golden): GoldenCase {
  return { ...golden, versions: [version], recording: () => recording };
}

// Changes one nested string or number in the first or last request body that has one.
function changeLeaf(
  requests: readonly GoldenRequest[],
  which: "first" | "last",
): readonly GoldenRequest[] | undefined {
  const places = requests.flatMap(({ body }, index) =>
    leavesOf(body, []).map((path): Edit[0] => [index, "body", ...path]),
  );
  const path = which === "first" ? places[0] : places.at(-1);
  if (path === undefined) return undefined;
  const changed = withEdits(requests, [[path, "surplus"]]);
  return Array.isArray(changed) ? (changed as readonly GoldenRequest[]) : undefined;
}

function leavesOf(value: unknown, path: Edit[0]): readonly Edit[0][] {
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) => leavesOf(item, [...path, index]));
  }
  if (isRecord(value)) {
    return Object.entries(value).flatMap(([key, child]) => leavesOf(child, [...path, key]));
  }
  return value === undefined ? [] : [path];
}

function asRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}
