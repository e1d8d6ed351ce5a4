import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { err, ok } from "../../../src/base/result.ts";
import { checkManifest } from "../../../src/editor/submit/checkManifest.ts";
import type { ChosenManifest } from "../../../src/editor/submit/manifestDocuments.ts";
import {
  changeManifest,
  manifestText,
  previewManifest,
  type ManifestAsking,
} from "../../../src/editor/submit/previewManifest.ts";
import type { ClusterError } from "../../../src/engine/clusterError.ts";
import type { Connection } from "../../../src/engine/ports/connection.ts";
import { decodeManifests } from "../../../src/spark/operator/decodeManifests.ts";
import { plainMask } from "../../../src/spark/redact.ts";
import { VirtualClock } from "../engine/virtualClock.ts";
import { scriptedScreen } from "./screenFixture.ts";
import { connectionFixture, missing, recordedObjects, strictLog } from "./sessionFixture.ts";

const group = "sparkoperator.k8s.io";
const manifest = (
  spec: string,
  { kind = "SparkApplication", version = "v1beta2", name = "name: nightly" } = {},
): string => `apiVersion: ${group}/${version}\nkind: ${kind}\nmetadata:\n  ${name}\nspec:\n${spec}`;
const python =
  "  type: Python\n  sparkVersion: 4.0.1\n  image: apache/spark:4.0.1\n  mainApplicationFile: local:///a.py\n  driver: {}\n  executor: {}\n";

const already: ClusterError = {
  ...{ kind: "conflict", resource: "sparkapplications", name: "nightly", detail: "" },
};
const forbidden: ClusterError = {
  ...{ kind: "forbidden", verb: "create", resource: "sparkapplications", namespace: "jobs" },
  detail: 'User "ann" cannot create resource "sparkapplications"',
};
const invalid: Extract<ClusterError, { kind: "invalid" }> = {
  ...{ kind: "invalid", detail: "invalid" },
  causes: [{ field: "spec.type", message: "Unsupported value" }],
};

interface SetUp {
  readonly bodies?: Readonly<Record<string, unknown>>;
  readonly refused?: Readonly<Record<string, ClusterError>>;
  readonly unreachable?: ClusterError;
  readonly context?: string;
  readonly script?: readonly (string | undefined)[];
}

function rigFor(text: string, given: SetUp = {}) {
  const screen = scriptedScreen(...(given.script ?? []));
  const clock = new VirtualClock();
  const { objects, written } = recordedObjects(given.bodies, given.refused);
  let open = 0;
  const connection: Connection = connectionFixture(clock, {
    ...{ objects, context: given.context ?? "dev", namespace: "jobs" },
    dispose: () => {
      open -= 1;
    },
  });
  const asking: ManifestAsking = {
    clusters: {
      connect: () => {
        if (given.unreachable !== undefined) return Promise.resolve(err(given.unreachable));
        open += 1;
        return Promise.resolve(ok(connection));
      },
    },
    ...{ clock, log: strictLog },
  };
  const [decoded] = decodeManifests(text).manifests;
  const document = { getText: () => text } as ChosenManifest["document"];
  const chosen = { document, decoded: decoded ?? assert.fail("no manifest") };
  const { signal } = new AbortController();
  return { ...{ chosen, asking, screen, signal, written }, opened: () => open };
}

describe("preview of an operator's manifest", () => {
  const preview = async (text: string, given: SetUp = {}) => {
    const { chosen, asking, screen, signal, opened } = rigFor(text, given);
    const shown = await previewManifest(chosen, asking, screen, signal);
    assert.equal(opened(), 0);
    return { ...shown, screen };
  };

  test("shows what is sent and what the server would store, with sorted members", async () => {
    const { sent, stored } = await preview(manifest(python));
    assert.equal(
      sent,
      `apiVersion: ${group}/v1beta2\nkind: SparkApplication\nmetadata:\n  name: nightly\nspec:\n  driver: {}\n  executor: {}\n  image: apache/spark:4.0.1\n  mainApplicationFile: local:///a.py\n  sparkVersion: "4.0.1"\n  type: Python\n`,
    );
    assert.equal(stored, sent);
  });

  test("hides secrets, also those of the manifest's own pattern", async () => {
    const conf =
      "  sparkConf:\n    spark.a.password: geheim\n    spark.odd: hidden\n    spark.redaction.regex: (?i)odd\n";
    const { sent } = await preview(manifest(python + conf));
    assert.doesNotMatch(sent ?? "", /hidden/);
    const byDefault = await preview(
      manifest(`${python}  sparkConf:\n    spark.a.password: geheim\n`),
    );
    assert.doesNotMatch(byDefault.sent ?? "", /geheim/);
  });

  test("says in a comment why the cluster would reject it", async () => {
    const refused = await preview(manifest(python), {
      refused: { "create SparkApplication": forbidden },
    });
    assert.equal(
      refused.sent?.split("\n")[0],
      "# Preview only; the cluster would reject this: It is forbidden.",
    );
    assert.equal(refused.stored, undefined);
    const there = await preview(manifest(python), {
      refused: { "create SparkApplication": already },
    });
    assert.equal(
      there.sent?.split("\n")[0],
      '# SparkApplication "nightly" already exists in namespace "jobs". It was not changed.',
    );
  });

  test("shows the manifest without a cluster", async () => {
    const { sent, stored, screen } = await preview(manifest(python), { unreachable: forbidden });
    assert.match(sent ?? "", /^# Preview only; nothing was submitted\.\napiVersion/);
    assert.equal(stored, undefined);
    assert.match(screen.shown[0] ?? "", /^error: Cannot connect to the cluster: /);
  });

  test("shows an error for a manifest that cannot be sent", async () => {
    const unnamed = rigFor(manifest(python, { name: "labels: {}" }));
    const { chosen, asking, screen, signal } = unnamed;
    assert.equal(await previewManifest(chosen, asking, screen, signal), undefined);
    assert.equal(await manifestText(chosen, strictLog, screen, plainMask), undefined);
    assert.deepEqual(screen.shown, [
      'error: Cannot submit the manifest: The manifest has no name. Add "metadata.name".',
      'error: Cannot submit the manifest: The manifest has no name. Add "metadata.name".',
    ]);
    const old = rigFor(manifest(python, { version: "v1beta1" }));
    assert.equal(await manifestText(old.chosen, strictLog, old.screen, plainMask), undefined);
    assert.deepEqual(old.screen.shown, [
      `error: Cannot submit the manifest: Unsupported API version "${group}/v1beta1". Use "${group}/v1beta2".`,
    ]);
  });
});

describe("suspending and resuming an operator's object", () => {
  const stored = (kind: string) => ({
    [`${kind} nightly`]: {
      ...{ apiVersion: `${group}/v1beta2`, kind },
      metadata: { name: "nightly", namespace: "jobs", uid: "uid-1", resourceVersion: "1" },
      spec: {},
    },
  });
  const change = async (
    change: "suspend" | "resume",
    text: string,
    given: SetUp = {},
  ): Promise<readonly [boolean, readonly string[], readonly string[]]> => {
    const { chosen, asking, screen, signal, written, opened } = rigFor(text, given);
    const isDone = await changeManifest(chosen, change, asking, screen, signal);
    assert.equal(opened(), 0);
    return [isDone, screen.shown, written];
  };

  test("asks with the consequence, then changes the object", async () => {
    const questions: readonly (readonly ["suspend" | "resume", string, string, string])[] = [
      [
        ...(["suspend", "SparkApplication", "Suspend"] as const),
        "The operator deletes the driver and the executors, and keeps the custom resource. Unsaved output will be lost. Resume restarts the application from the beginning.",
      ],
      [
        ...(["resume", "SparkApplication", "Resume"] as const),
        "The operator restarts the application from the beginning.",
      ],
      [
        ...(["suspend", "ScheduledSparkApplication", "Suspend"] as const),
        "The operator starts no runs until it is resumed.",
      ],
      [
        ...(["resume", "ScheduledSparkApplication", "Resume"] as const),
        "The operator starts runs on schedule again.",
      ],
    ];
    for (const [kind, of, button, detail] of questions) {
      const [isDone, shown, written] = await change(kind, manifest(python, { kind: of }), {
        ...{ bodies: stored(of), script: [button] },
      });
      assert.deepEqual(shown, [
        `warning: ${button} "nightly" in namespace "jobs" of "dev"?\n${detail}\n[${button}]`,
      ]);
      assert.equal(isDone, true);
      assert.match(
        written.join(),
        new RegExp(`^patch ${of} nightly .*"suspend":${kind === "suspend"}`),
      );
    }
  });

  test("changes nothing after Escape or in a read-only context", async () => {
    const bodies = stored("SparkApplication");
    const [isDone, , written] = await change("suspend", manifest(python), { bodies });
    assert.deepEqual([isDone, written], [false, []]);
    const locked = await change("resume", manifest(python), { bodies, context: "locked" });
    assert.deepEqual(locked, [false, ['blocked: Resume "nightly"'], []]);
  });

  test("shows why it failed", async () => {
    const absent = await change("suspend", manifest(python), {
      refused: { "patch SparkApplication": missing },
      script: ["Suspend"],
    });
    assert.equal(absent[0], false);
    assert.equal(
      absent[1].at(-1),
      'error: Cannot suspend "nightly": SparkApplication "nightly" not found in namespace "jobs" of "dev". Submit it first.',
    );
    const unreachable = await change("resume", manifest(python), { unreachable: forbidden });
    assert.match(unreachable[1][0] ?? "", /^error: Cannot resume "nightly": /);
    assert.equal(unreachable[0], false);
    const old = await change("suspend", manifest(python, { version: "v1beta1" }));
    assert.deepEqual(old[1], [
      `error: Cannot suspend "nightly": Unsupported API version "${group}/v1beta1". Use "${group}/v1beta2".`,
    ]);
  });
});

describe("check of an operator's manifest", () => {
  const check = async (text: string, given: SetUp = {}) => {
    const { chosen, asking, screen, signal, opened } = rigFor(text, given);
    const checked = await checkManifest(chosen, asking, screen, signal);
    assert.equal(opened(), 0);
    return { ...checked, screen };
  };
  const dryRunOf = (text: string | undefined): string | undefined =>
    text?.split("\n").find((line) => line.startsWith("- "));

  test("has the findings of the manifest, of the cluster and of the dry run", async () => {
    const { text, remarks } = await check(manifest(`${python}  typ: x\n`));
    assert.match(
      text ?? "",
      /^Pre-flight check: nightly\n\nContext "dev", namespace "jobs", Spark 4\.0\.1\. Nothing was created\.\n\nChecks\n------\n\n/,
    );
    assert.match(text ?? "", /\n\w+ [\w-]+: Line 12, spec\.typ\n {2}\S/);
    assert.equal(dryRunOf(text), "- SparkApplication nightly: accepted");
    assert.equal(remarks?.[0]?.span.start, manifest(`${python}  `).length);
  });

  test("places a rejection at the rejected field, unless the manifest has a finding there", async () => {
    const { text, remarks } = await check(manifest(python), {
      refused: { "create SparkApplication": invalid },
    });
    assert.match(dryRunOf(text) ?? "", /^- SparkApplication nightly: rejected\. It is invalid\./);
    const server = remarks?.filter(({ code }) => code === "server") ?? [];
    assert.deepEqual(
      server.map(({ message, severity }) => [severity, message]),
      [["error", "Kubernetes message: Unsupported value"]],
    );
    const unknown = { ...invalid, causes: [{ field: "spec.typ", message: "unknown field" }] };
    const twice = await check(manifest(`${python}  typ: x\n`), {
      refused: { "create SparkApplication": unknown },
    });
    assert.deepEqual(
      twice.remarks?.filter(({ code }) => code === "server"),
      [],
    );
    const there = await check(manifest(python), {
      refused: { "create SparkApplication": already },
    });
    assert.equal(
      dryRunOf(there.text),
      "- SparkApplication nightly: already exists. A submission asks before it replaces the object.",
    );
    assert.deepEqual(
      there.remarks?.filter(({ code }) => code === "there").map(({ severity }) => severity),
      ["information"],
    );
    const refused = await check(manifest(python), {
      refused: { "create SparkApplication": forbidden },
    });
    assert.deepEqual(
      refused.remarks?.filter(({ code }) => code === "forbidden").map(({ severity }) => severity),
      ["error"],
    );
  });

  test("sends nothing of a manifest in another API version", async () => {
    const { text } = await check(manifest(python, { version: "v1beta1" }));
    assert.equal(
      dryRunOf(text),
      `- SparkApplication nightly: not sent. Unsupported API version "${group}/v1beta1". Use "${group}/v1beta2".`,
    );
  });

  test("ends with an error without a cluster", async () => {
    const { text, screen } = await check(manifest(python), { unreachable: forbidden });
    assert.equal(text, undefined);
    assert.match(screen.shown[0] ?? "", /^error: Cannot connect to the cluster: /);
  });
});
