import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inEnglish, type Message, type MessageText } from "../../../src/base/message.ts";
import {
  contextChoices,
  furtherChoices,
  namespacesFault,
  namespacesIn,
} from "../../../src/editor/apps/clusterChoices.ts";
import { clusterStatus } from "../../../src/editor/apps/clusterStatus.ts";
import { missingPodWords } from "../../../src/editor/apps/driverless.ts";
import {
  describeFilter,
  filterChoices,
  filterOf,
  isSelected,
} from "../../../src/editor/apps/filterChoices.ts";
import { formatAge, formatMinutes } from "../../../src/editor/apps/formatAge.ts";
import {
  unknownWatch,
  type NamespaceWatch,
  type SessionState,
} from "../../../src/editor/apps/sessionState.ts";
import { groupsByNamespace, viewTexts } from "../../../src/editor/apps/viewTexts.ts";
import type { ClusterError } from "../../../src/engine/clusterError.ts";
import type { GuardKind } from "../../../src/engine/contextGuard.ts";
import type { Connection } from "../../../src/engine/ports/connection.ts";
import { noFilter, type ApplicationFilter } from "../../../src/spark/pods/applicationFilter.ts";
import { buildApplications } from "../../../src/spark/pods/applications.ts";
import { itemsIn } from "../../../src/spark/pods/ordered.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";
import { failedDriver, unscheduled } from "../diagnosis/diagnosedFixture.ts";
import { driverFixture } from "../pods/podFixture.ts";

const inText = (text: MessageText | undefined): string | undefined =>
  typeof text === "object" ? inEnglish(text) : text;

const gone: ClusterError = { kind: "unreachable", server: "s", requestSent: false, detail: "" };

function watch(pods: readonly PodRecord[], fields: Partial<NamespaceWatch> = {}): NamespaceWatch {
  const { snapshot } = replacePods(emptySnapshot, pods);
  const live = unknownWatch("dev", { kind: "live", polled: undefined });
  return { ...live, namespace: "jobs", snapshot, model: buildApplications(snapshot), ...fields };
}

const connected = (...watches: readonly NamespaceWatch[]): SessionState => ({
  kind: "connected",
  connection: { server: "https://dev" } as Connection,
  watches,
});

const byName = (context: string): GuardKind =>
  context === "prod" ? "readOnly" : context === "stage" ? "typeName" : "none";

describe("texts around the tree", () => {
  const shown = (
    state: SessionState,
    filter: ApplicationFilter = noFilter,
  ): readonly (string | undefined)[] => {
    const watches = state.kind === "connected" ? state.watches : [];
    const applications = watches.flatMap(({ model }) => [...itemsIn(model.applications)]);
    const { message, description, badge } = viewTexts({
      profileOf: () => undefined,
      ...{ state, applications, filter },
      guardOf: byName,
      explain: ({ kind }) => `It is ${kind}.`,
    });
    return [
      inText(message),
      inText(description),
      badge && `${badge.value}: ${inText(badge.tooltip) ?? ""}`,
    ];
  };
  const running = driverFixture();
  const none = { ...noFilter, text: "orders" };

  test("are empty for an idle session", () => {
    assert.deepEqual(shown({ kind: "idle" }), [undefined, undefined, undefined]);
  });

  test("name the context and count the running applications", () => {
    assert.deepEqual(shown(connected(watch([running]))), [
      undefined,
      "dev",
      "1: Spark applications running: 1",
    ]);
  });

  test("count the applications in trouble", () => {
    const stuck = [running, { ...unscheduled("no node"), namespace: "jobs" }];
    assert.deepEqual(shown(connected(watch(stuck)))[2], "1: Spark applications running: 1");
    const blocked = { ...driverFixture({ uid: "uid-2" }), ...{ phase: "Pending" } };
    assert.deepEqual(shown(connected(watch([blocked])))[2], undefined);
    assert.deepEqual(shown(connected(watch([failedDriver(1)])))[2], undefined);
  });

  test("name the guarded contexts above the rows", () => {
    const some = [watch([running], { context: "prod" }), watch([], { context: "stage" })];
    assert.deepEqual(shown(connected(...some)).slice(0, 2), [
      "Read-only: prod · Guarded: stage",
      "prod (read-only), stage (guarded)",
    ]);
    assert.equal(shown(connected(watch([], { context: "prod" })))[0], undefined);
  });

  test("name the watched namespaces beside the welcome view of an empty tree", () => {
    const inNamespaces = (...names: readonly (string | undefined)[]): unknown =>
      shown(connected(...names.map((namespace) => watch([], { namespace }))))[1];
    assert.equal(inNamespaces("jobs"), 'dev · namespace "jobs"');
    assert.equal(inNamespaces("jobs", "etl"), 'dev · namespaces "jobs", "etl"');
    assert.equal(inNamespaces("a", "b", "c", "d"), "dev · 4 namespaces");
    assert.equal(inNamespaces(undefined), "dev · all namespaces");
    // Both contexts watch a namespace of this name.
    const qa = watch([], { context: "qa" });
    assert.equal(shown(connected(watch([]), qa))[1], 'dev, qa · namespace "jobs"');
    const loading = watch([], { freshness: { kind: "connecting" } });
    assert.equal(shown(connected(loading))[1], "dev");
    assert.equal(shown(connected(watch([running])))[1], "dev");
    // A message would replace the welcome view with its buttons.
    assert.equal(shown(connected(watch([])))[0], undefined);
  });

  test("offer to clear the filter only if there is another message", () => {
    assert.deepEqual(shown(connected(watch([running])), none).slice(0, 2), [
      undefined,
      'dev · "orders"',
    ]);
    const stale = watch([running], { freshness: { kind: "failed", error: gone } });
    assert.equal(
      shown(connected(stale), none)[0],
      'It is unreachable. No applications match: "orders". Use Clear Filter to show all.',
    );
    assert.equal(shown(connected(stale))[0], "It is unreachable.");
  });

  test("say since when rows are stale, and in which context", () => {
    const since = Date.parse("2026-01-02T03:04:05Z");
    const stale = watch([running], { freshness: { kind: "stale", since, error: gone } as never });
    assert.match(shown(connected(stale))[0] ?? "", /^Stale since .*: It is unreachable\.$/);
    const other = watch([], { context: "qa" });
    assert.match(shown(connected(stale, other))[0] ?? "", /^dev: Stale since /);
    const polled = watch([running], { freshness: { kind: "live", polled: gone } });
    assert.equal(shown(connected(polled))[0], "Refreshed only every 30 s: It is unreachable.");
    const missing = watch([], { isMissing: true, namespace: "etl" });
    assert.equal(
      shown(connected(watch([running]), missing))[0],
      'Context "dev" has no namespace "etl". Use Choose Namespaces… to select others.',
    );
  });

  test("rows are grouped if several namespaces are watched", () => {
    assert.equal(groupsByNamespace({ kind: "idle" }), false);
    assert.equal(groupsByNamespace(connected(watch([]))), false);
    assert.equal(groupsByNamespace(connected(watch([]), watch([]))), true);
    assert.equal(groupsByNamespace(connected(watch([], { namespace: undefined }))), true);
  });
});

describe("status bar item", () => {
  const status = (state: SessionState): unknown => {
    const found = clusterStatus(state, byName, inEnglish);
    if (found === undefined) return undefined;
    const { text, tooltip, icon, isStale } = found;
    return [inText(text), tooltip.map((line) => inEnglish(line)), icon, isStale];
  };
  const ready = "Spark applications on https://dev. Click to choose another cluster.";

  test("is hidden until the session starts", () => {
    assert.equal(status({ kind: "idle" }), undefined);
    assert.deepEqual(status({ kind: "connecting" }), [
      "Connecting…",
      ["Spark: connecting to the cluster"],
      "zap",
      false,
    ]);
    assert.deepEqual(status({ kind: "failed", error: gone }), [
      "No cluster",
      ["Spark: the cluster at s did not respond"],
      "zap",
      false,
    ]);
  });

  test("names the contexts with their namespaces", () => {
    const some = [
      watch([]),
      watch([], { namespace: "etl" }),
      watch([], { context: "qa", namespace: undefined }),
    ];
    assert.deepEqual(status(connected(...some)), [
      "dev/jobs, etl; qa/all namespaces",
      [ready],
      "zap",
      false,
    ]);
  });

  test("shows the strictest guard", () => {
    const stage = watch([], { context: "stage" });
    const guarded = "Guarded: changes require typing the name of the context.";
    assert.deepEqual(status(connected(stage)), ["stage/jobs", [ready, guarded], "shield", false]);
    const prod = watch([], { context: "prod" });
    assert.deepEqual(status(connected(stage, prod)), [
      "stage/jobs; prod/jobs",
      [ready, "Read-only: no changes are allowed."],
      "lock",
      false,
    ]);
  });

  test("warns while a watch is stale", () => {
    for (const kind of ["stale", "failed"] as const) {
      const freshness = { kind, since: 0, error: gone } as NamespaceWatch["freshness"];
      assert.deepEqual(status(connected(watch([]), watch([], { freshness }))), [
        "dev/jobs, jobs",
        ["Spark applications on https://dev are stale: the cluster at s did not respond"],
        "zap",
        true,
      ]);
    }
  });
});

describe("filter", () => {
  const show = (name: Message): string => inEnglish(name);

  test("offers states, the user and several namespaces", () => {
    const rows = (namespaces: readonly string[]): readonly string[] =>
      filterChoices(namespaces, "ada").map(({ label, description, means }) =>
        [
          `${inText(label) ?? ""}${means === undefined ? ":" : ""}`,
          inText(description) ?? "",
          Object.keys(means ?? {}).join(),
        ]
          .filter((part) => part !== "")
          .join(" "),
      );
    const states = [
      "Running stateClass",
      "Waiting stateClass",
      "Failed stateClass",
      "Finished stateClass",
    ];
    assert.deepEqual(rows(["jobs"]).toSorted(), [
      ...["State:", "User:", 'Mine Spark user "ada" user', ...states].toSorted(),
    ]);
    assert.deepEqual(rows(["etl", "jobs"]).slice(-3), [
      "Namespace:",
      "etl namespace",
      "jobs namespace",
    ]);
  });

  test("selects its own parts", () => {
    const filter: ApplicationFilter = {
      text: "",
      stateClasses: new Set(["failed"]),
      namespaces: new Set(["etl"]),
      user: "ada",
    };
    const selected = filterChoices(["etl", "jobs"], "ada").filter(({ means }) =>
      isSelected(filter, means),
    );
    assert.deepEqual(
      selected.map(({ label }) => inText(label)),
      ["Failed", "Mine", "etl"],
    );
    assert.equal(isSelected(noFilter, { user: "ada" }), false);
  });

  test("consists of the typed text and the selected rows", () => {
    const filter = filterOf(
      " orders ",
      [undefined, { stateClass: "failed" }, { namespace: "etl" }, { user: "ada" }],
      show,
    );
    assert.deepEqual(filter, {
      text: "orders",
      stateClasses: new Set(["failed"]),
      namespaces: new Set(["etl"]),
      user: "ada",
    });
    assert.equal(inEnglish(describeFilter(filter)), 'Failed, etl, user ada, "orders"');
    assert.equal(describeFilter(noFilter), undefined);
  });

  test("selects a state if its name is typed", () => {
    const filter = filterOf(" failed ", [{ stateClass: "running" }], show);
    assert.deepEqual([filter.text, [...filter.stateClasses]], ["", ["running", "failed"]]);
    assert.deepEqual([...filterOf("fail", [], show).stateClasses], []);
    assert.equal(filterOf("fail", [], show).text, "fail");
  });
});

describe("choice of a cluster", () => {
  const contexts = [
    { name: "dev", server: "https://dev", user: "ada", namespace: "jobs" },
    { name: "qa", server: "https://qa", user: "bob", namespace: undefined },
  ];

  test("lists the contexts and marks the one in use", () => {
    const rows = contextChoices(contexts, "dev").map(({ label, description, detail }) =>
      [label, inText(description), inEnglish(detail)].join(" | "),
    );
    assert.deepEqual(rows, [
      "dev | in use | https://dev as ada, namespace jobs",
      "qa |  | https://qa as bob, namespace default",
    ]);
  });

  test("offers the other contexts with the namespaces that are watched", () => {
    const rows = (now: Readonly<Record<string, readonly string[]>>): readonly unknown[] =>
      furtherChoices(contexts, "dev", now).map(({ label, detail, picked }) => [
        label,
        inEnglish(detail),
        picked,
      ]);
    assert.deepEqual(rows({}), [["qa", "https://qa, namespace default", false]]);
    assert.deepEqual(rows({ qa: ["etl", "ml"] }), [["qa", "https://qa, namespace etl, ml", true]]);
    assert.deepEqual(rows({ qa: [] }), [["qa", "https://qa, namespace default", true]]);
  });

  test("accepts a list of namespaces, and names the first invalid one", () => {
    assert.deepEqual(namespacesIn(" etl, ,ml "), ["etl", "ml"]);
    assert.equal(namespacesFault("etl, *"), undefined);
    assert.equal(namespacesFault(""), undefined);
    assert.equal(
      inEnglish(namespacesFault("etl, No_Name, Other_")),
      '"No_Name" is not a valid namespace name.',
    );
  });
});

test("rows without a pod are reported unless another row has one", () => {
  assert.equal(missingPodWords([], 1), undefined);
  assert.equal(inEnglish(missingPodWords([], 0)), "The selected rows have no pods.");
  assert.equal(inEnglish(missingPodWords(["pi"], 0)), '"pi" has no driver pod.');
  assert.equal(
    inEnglish(missingPodWords(["pi", "etl"], 1)),
    "2 of the selected applications have no driver pod.",
  );
});

test("an age has one unit", () => {
  const now = Date.parse("2026-01-10T00:00:00Z");
  const ages = [-5, 0, 59, 60, 3_599, 3_600, 48 * 3_600 - 1, 48 * 3_600].map((seconds) =>
    inText(formatAge(new Date(now - seconds * 1_000).toISOString(), now)),
  );
  assert.deepEqual(ages, ["0 s", "0 s", "59 s", "1 min", "59 min", "1 h", "47 h", "2 d"]);
  assert.equal(formatAge("soon", now), "");
  assert.equal(formatMinutes(new Date(now - 59_999).toISOString(), now), "");
  assert.equal(inText(formatMinutes(new Date(now - 60_000).toISOString(), now)), "1 min");
});
