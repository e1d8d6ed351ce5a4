import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { err, ok } from "../../../src/base/result.ts";
import type { ControlledRun } from "../../../src/editor/submit/controlledRun.ts";
import type { EndFacts } from "../../../src/editor/submit/followApplication.ts";
import { manifestTerminal } from "../../../src/editor/submit/manifestRun.ts";
import type { RunSource } from "../../../src/editor/submit/prepareRun.ts";
import { RunPty } from "../../../src/editor/submit/runPty.ts";
import {
  submissionTerminal,
  type RunWindow,
  type SubmissionRunOptions,
} from "../../../src/editor/submit/submissionRun.ts";
import type { ClusterError } from "../../../src/engine/clusterError.ts";
import type { AccessIdentity } from "../../../src/engine/ports/connection.ts";
import type { ObjectApi } from "../../../src/engine/ports/objects.ts";
import { decodeManifests } from "../../../src/spark/operator/decodeManifests.ts";
import { decodePod } from "../../../src/spark/pods/decodePod.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { parseSubmission } from "../../../src/spark/submit/plan/parsedSubmission.ts";
import { settle } from "../engine/virtualClock.ts";
import { endedFixture } from "../pods/podFixture.ts";
import { sendNothing, submissionEnvironmentOf, withOptions } from "../submit/prepared.ts";
import { memoryMemento } from "./memoryMemento.ts";
import { scriptedScreen } from "./screenFixture.ts";
import { missing, recordedObjects, sessionFixture, strictLog } from "./sessionFixture.ts";

interface RunSetUp {
  readonly script?: readonly (string | undefined)[];
  readonly bodies?: Readonly<Record<string, unknown>>;
  readonly refused?: Readonly<Record<string, ClusterError>>;
  readonly context?: string;
  readonly identity?: AccessIdentity;
  readonly server?: string;
  readonly window?: Partial<RunWindow>;
  readonly controlled?: Partial<ControlledRun>;
  readonly disk?: Partial<SubmissionRunOptions["disk"]>;
  readonly offer?: ClusterError;
  /** Run this operator manifest. */
  readonly manifest?: string;
  readonly resubmits?: boolean;
}

const forbidden: ClusterError = {
  ...{
    kind: "forbidden",
    verb: "create",
    resource: "pods",
    namespace: "jobs",
    detail: 'User "ann" cannot create resource "pods"',
  },
};
const profile = (members: object = {}): RunSource => {
  const definition = {
    ...{ type: "spark-submit", label: "etl", application: "local:///opt/a.jar", class: "org.Main" },
    ...{ sparkVersion: "4.3.0", conf: { "spark.kubernetes.container.image": "img:1" } },
    ...members,
  };
  return { kind: "profile", definition, written: definition };
};
const line = (...tokens: readonly string[]): RunSource => ({
  kind: "line",
  line: {
    submission: parseSubmission({ kind: "tokens", sparkVersion: "4.3.0", tokens }),
    ...{ environment: {}, kubeconfig: undefined, written: tokens.join(" ") },
  },
});

/** Starts a run in a terminal of 200 columns; the cluster creates driver pods. */
async function runFixture(t: TestContext, source: RunSource, given: RunSetUp = {}) {
  const { objects, written } = recordedObjects(given.bodies, given.refused);
  const events: string[] = [];
  const rig = await sessionFixture(t, []);
  const drivers: PodRecord[] = [];
  const create: ObjectApi["create"] = async (...asked) => {
    const [namespace, manifest] = asked;
    const created = await objects.create(...asked);
    if (!created.ok || manifest.kind !== "Pod") return created;
    const metadata = { ...manifest.metadata, namespace, uid: "uid-run", resourceVersion: "1" };
    const body = { ...manifest, metadata, status: { phase: "Pending" } };
    const pod = decodePod(body) ?? assert.fail("no pod");
    drivers.push(pod);
    rig.server.put(pod);
    return ok({ ...created.value, uid: "uid-run", namespace, body });
  };
  const screen = scriptedScreen(...(given.script ?? []));
  const context = given.context ?? "dev";
  const connection = {
    ...rig.connection,
    ...{ context, identity: given.identity ?? { kind: "context" }, contextNamespace: "jobs" },
    ...(given.server !== undefined && { server: given.server }),
    objects: { ...objects, create },
    dispose: () => events.push("connection closed"),
  };
  const target = { context, server: "https://dev", targetId: "dev", namespace: "jobs" };
  const offered = given.offer === undefined ? ok(connection) : err(given.offer);
  const offer = { context, server: target.server, open: () => Promise.resolve(offered) };
  const state = { text: "" };
  const closed: number[] = [];
  const options = {
    services: {
      clusters: {
        target: () => Promise.resolve(ok(target)),
        connect: () => Promise.resolve(ok(connection)),
        connectTo: () => Promise.resolve(ok(offer)),
      },
      agree: () => Promise.resolve(true),
      watched: ({ server }: { readonly server: string }, driver: PodRecord) =>
        Promise.resolve(rig.session.watchedAt(server, driver)),
      followed: () => ({ dispose: () => events.push("unfollowed") }),
      submitted: ({ name }: PodRecord) => events.push(`submitted ${name}`),
      shownLogs: { begin: () => 0, opened: () => 0, take: () => 0, openDocument: () => 0 },
      ...{ memory: memoryMemento(), clock: rig.clock, random: () => 0.5, log: strictLog },
    },
    disk: {
      submissionEnvironment: () => submissionEnvironmentOf({}),
      fetchTexts: () => Promise.resolve(new Map()),
      probeTexts: (addresses: readonly string[]) =>
        Promise.resolve(new Map(addresses.map((one) => [one, false]))),
      code: { collect: sendNothing },
      jvm: undefined,
      packages: { needs: () => Promise.resolve(undefined) },
      uploadsFor: () => ({ isPresent: () => Promise.resolve(ok(true)), send: () => undefined }),
      ...given.disk,
    },
    events: {
      report: (findings: readonly unknown[]) => Promise.resolve(findings.map(() => undefined)),
      sent: () => events.push("sent"),
      began: ({ context: where }: { readonly context: string }) => events.push(`began in ${where}`),
      ended: (outcome: string, exitCode: number | undefined, facts?: EndFacts) =>
        events.push(
          [outcome, exitCode, facts?.cause].filter((one) => one !== undefined).join(", "),
        ),
    },
    ...{ name: "etl", source, folder: undefined, workingDirectory: "/cwd" },
    resubmits: given.resubmits,
    mayStart: () => Promise.resolve(true),
    ...(given.controlled !== undefined && {
      controlled: {
        signal: new AbortController().signal,
        started: ({ name }: { readonly name: string }) => {
          events.push(`started ${name}`);
          return Promise.resolve();
        },
        isStopped: () => false,
        ended: ({ outcome }: { readonly outcome: string }) => events.push(`controlled ${outcome}`),
        ...given.controlled,
      },
    }),
  } as unknown as SubmissionRunOptions;
  const window = {
    screen,
    showsLogSecrets: () => true,
    keepsShells: () => false,
    runBuild: (build: string) => {
      events.push(`build ${build}`);
      return Promise.resolve(build === "make" ? 0 : build === "none" ? undefined : 2);
    },
    secretVariables: () => () => false,
    severityChoices: () => new Map(),
    findManifest: () => {
      const document = { uri: "file:///app.yaml" };
      const { manifests } = decodeManifests(given.manifest ?? "");
      return Promise.resolve(manifests.map((decoded) => ({ decoded, document })));
    },
    mayInstall: () => true,
    ...given.window,
  } as unknown as RunWindow;
  const terminal =
    given.manifest === undefined
      ? submissionTerminal(options, window)
      : manifestTerminal(source.kind === "profile" ? source.definition : {}, options, window);
  const pty = new RunPty(terminal, { screen, heldRows: () => 1_000 });
  pty.onDidWrite((text) => {
    state.text += text;
  });
  pty.onDidClose((code) => closed.push(code));
  t.after(() => {
    pty.close();
  });
  pty.open({ columns: 200, rows: 50 });
  await rig.clock.advance(5_000);
  const rows = (): readonly string[] =>
    state.text
      .replaceAll(/\u001b\[[\d;?]*[a-zA-Z]/g, "")
      .split(/\r?\n|\r/)
      .map((row) => row.replace(/^-- (.*) --$/, "$1").replace(/-[0-9a-f]{16}/g, "-(id)"))
      .filter((row) => row !== "" && row !== "Open all lines as a document");
  const end = async (
    phase: "Running" | "Succeeded" | "Failed",
    exitCode: number,
    afterMs = 20_000,
  ): Promise<void> => {
    const [driver = assert.fail("no driver")] = drivers;
    const containers = [endedFixture(exitCode, { name: "spark-kubernetes-driver" })];
    rig.server.put({
      ...driver,
      phase,
      containers,
      resourceVersion: phase === "Running" ? "2" : "3",
    });
    await rig.clock.advance(afterMs);
    await settle();
  };
  const hasWritten = (): readonly string[] =>
    written.map((one) => one.replace(/-[0-9a-f]{16}/g, "-(id)"));
  return { ...rig, events, rows, closed, end, shown: screen.shown, hasWritten, drivers, pty };
}

describe("run of a profile", () => {
  test("creates the objects, and ends when nothing is followed", async (t) => {
    const rig = await runFixture(t, profile({ follow: "none" }));
    assert.deepEqual(rig.closed, [0]);
    assert.deepEqual(rig.hasWritten().slice(0, 2), [
      "create Pod org-main-(id)-driver",
      "apply Service org-main-(id)-driver-svc",
    ]);
    assert.deepEqual(rig.rows().slice(0, 2), [
      'submitting to namespace "jobs" of "dev"',
      "Pod org-main-(id)-driver",
    ]);
    const [driver] = rig.drivers;
    assert.deepEqual(rig.events, [
      ...["sent", `submitted ${driver?.name ?? ""}`, "began in dev"],
      ...["connection closed", "submitted, 0"],
    ]);
  });

  test("says that the view does not show its namespace, and how to show it", async (t) => {
    for (const follow of ["driver", "none"]) {
      const { rows } = await runFixture(t, profile({ namespace: "etl", follow }));
      const hidden = rows().filter((row) => row.includes("view"));
      assert.deepEqual(hidden, [
        'The Applications view does not show namespace "etl". Run "Spark: Choose Namespaces…" to add it.',
      ]);
    }
    const { rows } = await runFixture(t, profile());
    assert.doesNotMatch(rows().join("\n"), /view/);
  });

  test("says that the view shows another cluster", async (t) => {
    const { rows } = await runFixture(t, profile(), { server: "https://other" });
    assert.match(rows().join("\n"), /The Applications view shows another cluster\./);
  });

  test("follows the driver, and exits with its exit code", async (t) => {
    const rig = await runFixture(t, profile());
    assert.deepEqual(rig.closed, []);
    assert.equal(rig.rows().at(-1), "driver: pending: no node yet");
    await rig.end("Failed", 3);
    assert.deepEqual(rig.rows().slice(-2), [
      "driver: failed: exit code 3",
      'Run "Spark: Explain Failure" for the evidence and the fixes.',
    ]);
    assert.deepEqual(rig.closed, [3]);
    assert.equal(rig.events.at(-1)?.startsWith("failed, 3"), true);
    assert.equal(rig.events.includes("unfollowed"), true);
  });

  test("says once that the driver failed, if its pod ends soon after the container", async (t) => {
    const states = async (afterMs: number): Promise<readonly string[]> => {
      const rig = await runFixture(t, profile());
      await rig.end("Running", 3, afterMs);
      const before = rig.rows().filter((row) => row.startsWith("driver: failed"));
      await rig.end("Failed", 3);
      const all = rig.rows().filter((row) => row.startsWith("driver: failed"));
      return [`${before.length}`, ...all];
    };
    assert.deepEqual(await states(4_000), ["0", "driver: failed: exit code 3"]);
    // A sidecar keeps the pod running.
    assert.deepEqual(await states(6_000), ["1", "driver: failed: exit code 3"]);
  });

  test("succeeds with the driver", async (t) => {
    const rig = await runFixture(t, profile({ follow: "all" }), {
      window: { showsLogSecrets: () => false },
    });
    await rig.end("Succeeded", 0);
    assert.equal(rig.rows().at(-1), "driver: succeeded");
    assert.deepEqual([rig.closed, rig.events.at(-1)], [[0], "succeeded, 0"]);
  });

  test("ends with the deletion of the driver", async (t) => {
    const rig = await runFixture(t, profile());
    rig.server.remove("uid-run");
    await rig.clock.advance(60_000);
    assert.equal(rig.rows().at(-1), "the driver pod was deleted");
    assert.deepEqual([rig.closed, rig.events.at(-1)], [[143], "stopped, 143"]);
  });

  test("detaches with Ctrl+C, and leaves the driver running", async (t) => {
    const rig = await runFixture(t, profile());
    rig.pty.handleInput("\x03");
    await rig.clock.advance(2_000);
    assert.equal(rig.rows().at(-1), "detached; the application is still running");
    assert.deepEqual([rig.closed, rig.events.at(-1)], [[130], "detached, 1"]);
  });

  test("removes what it created when the cluster refuses an object", async (t) => {
    const rig = await runFixture(t, profile(), { refused: { "create Pod": forbidden } });
    assert.equal(
      rig.rows().at(-1),
      'error: Cannot create Pod "org-main-(id)-driver". It is forbidden. No resources were left behind.',
    );
    assert.deepEqual(rig.closed, [1]);
    assert.match(
      rig.events.at(-1) ?? "",
      /^notSubmitted, 1, Cannot create Pod .* It is forbidden\./,
    );
  });

  test("names what it could not remove, and why", async (t) => {
    const denied: ClusterError = { ...forbidden, verb: "delete" };
    const refused = { "apply ConfigMap": forbidden, "delete Pod": denied };
    const rig = await runFixture(t, profile(), { refused });
    await rig.clock.advance(1_000);
    assert.equal(
      rig.rows().at(-1),
      'error: Cannot create ConfigMap "spark-drv-(id)-conf-map". It is forbidden. These resources could not be removed; delete them manually: Pod jobs/org-main-(id)-driver, Service jobs/org-main-(id)-driver-svc, NetworkPolicy jobs/org-main-(id)-policy. It is forbidden.',
    );
    assert.deepEqual(rig.closed, [1]);
  });

  test("is not submitted to a read-only context", async (t) => {
    const reasons: string[] = [];
    const rig = await runFixture(t, profile(), {
      context: "locked",
      controlled: { refused: (reason) => reasons.push(reason) },
    });
    assert.deepEqual(rig.rows(), ['error: "locked" is a read-only context.']);
    assert.deepEqual(reasons, ['"locked" is a read-only context.']);
    assert.deepEqual(rig.hasWritten(), []);
    // No connection was opened, so no credentials were requested.
    const why = '"locked" is a read-only context.';
    assert.deepEqual(rig.events, [`notSubmitted, 1, ${why}`, "controlled notSubmitted"]);
  });

  test("asks first if the profile requires a confirmation in the context", async (t) => {
    const source = profile({ follow: "none", contexts: { dev: { confirm: true } } });
    const question =
      'warning: Submit "etl" to "dev"?\nThe run profile requires confirmation in this context.\n[Submit]';
    const agreed = await runFixture(t, source, { script: ["Submit"] });
    assert.deepEqual([agreed.shown, agreed.closed], [[question], [0]]);
    const refused = await runFixture(t, source);
    assert.deepEqual([refused.shown, refused.rows()], [[question], ["not submitted: canceled"]]);
    assert.equal(refused.events.at(-1), "notSubmitted, 1, canceled");
    assert.deepEqual(refused.hasWritten(), []);
  });

  test("asks nothing in an automatic run, which is refused instead", async (t) => {
    const reasons: string[] = [];
    const controlled = { refused: (reason: string) => reasons.push(reason) };
    const rig = await runFixture(t, profile({ contexts: { dev: { confirm: true } } }), {
      controlled,
    });
    await runFixture(t, profile(), { controlled, context: "guarded" });
    assert.deepEqual(reasons, [
      "The run profile requires confirmation in this context.",
      '"guarded" is a guarded context.',
    ]);
    assert.deepEqual(rig.rows(), ["error: The run profile requires confirmation in this context."]);
    assert.deepEqual(rig.shown, []);
  });

  test("follows a controlled run that follows nothing, and keeps a connection that is taken over", async (t) => {
    const rig = await runFixture(t, profile({ follow: "none" }), {
      controlled: { takesConnection: true, isStopped: () => true },
    });
    assert.deepEqual(rig.closed, []);
    await rig.end("Succeeded", 0);
    assert.equal(rig.events.includes("started etl"), true);
    assert.equal(rig.events.includes("connection closed"), false);
    assert.equal(rig.events.at(-1), "controlled stopped");
  });

  test("is not submitted when a debug session is canceled", async (t) => {
    const request = (): Promise<"canceled"> => Promise.resolve("canceled");
    const rig = await runFixture(t, profile(), { controlled: { request } });
    assert.deepEqual([rig.rows(), rig.closed], [["not submitted: canceled"], [1]]);
  });

  test("builds first, and is not submitted after a failed build", async (t) => {
    const built = await runFixture(t, profile({ build: "make", follow: "none" }));
    assert.equal(built.rows()[0], "building: make");
    assert.deepEqual(built.closed, [0]);
    for (const [build, ended] of [
      ["fail", "2"],
      ["none", "no exit code"],
    ] as const) {
      const failed = await runFixture(t, profile({ build }));
      assert.deepEqual(failed.rows(), [
        `building: ${build}`,
        `error: The build failed (${ended}): ${build}`,
        "not submitted",
      ]);
      assert.deepEqual(failed.hasWritten(), []);
    }
  });

  test("asks for the class path after a build of the profile, and says so if it stays unknown", async (t) => {
    const jvm = (query: string) => ({
      find: () =>
        Promise.resolve(
          ok({
            source: "/cwd/src/Main.scala",
            mainClass: "org.Main",
            root: "/cwd",
            command: "make",
            project: {
              tool: "sbt" as const,
              root: "/cwd",
              module: "",
              wrapper: undefined,
              texts: [],
              changedMs: 0,
            },
          }),
        ),
      built: () => Promise.resolve(ok({ jar: "local:///opt/a.jar", dependencies: [] })),
      classPathCommand: () => Promise.resolve(query),
    });
    const members = { application: "src/Main.scala", follow: "none" };
    const own = profile({ ...members, build: "make" });
    const asked = await runFixture(t, own, { disk: { jvm: jvm("make") } });
    assert.deepEqual(asked.rows().slice(0, 2), ["building: make", "reading the class path: make"]);
    assert.deepEqual(asked.closed, [0]);
    const failed = await runFixture(t, own, { disk: { jvm: jvm("sbt x") } });
    assert.equal(
      failed.rows()[2],
      "warning: The class path is unknown (2), so the jar is sent without its dependencies: sbt x",
    );
    assert.deepEqual(failed.closed, [0]);
    const known = await runFixture(t, profile(members), { disk: { jvm: jvm("sbt x") } });
    assert.deepEqual(known.rows()[0], "building: make");
    assert.equal(known.rows().includes("reading the class path: sbt x"), false);
  });

  test("names packages that no repository has", async (t) => {
    const conf = {
      "spark.kubernetes.container.image": "img:1",
      "spark.jars.packages": "org.x:y:1",
      "spark.jars.ivy": "/tmp",
    };
    const source = profile({ conf, follow: "none" });
    const rig = await runFixture(t, source);
    assert.deepEqual(rig.rows().slice(-2), [
      "error: No repository has org.x:y:1. Correct spark.jars.packages, or add spark.jars.repositories.",
      "not submitted",
    ]);
    const probeTexts = () => Promise.resolve(new Map<string, undefined>());
    const unknown = await runFixture(t, source, { disk: { probeTexts } });
    assert.equal(unknown.rows().includes("no repository reported whether it has org.x:y:1"), true);
    assert.deepEqual(unknown.closed, [0]);
  });

  test("prints the findings of a wrong profile", async (t) => {
    const rig = await runFixture(t, profile({ application: "" }));
    assert.equal(rig.rows()[0]?.startsWith("error: "), true, rig.rows().join("\n"));
    assert.deepEqual([rig.closed, rig.hasWritten()], [[1], []]);
  });

  test("warns of unknown keys, and submits", async (t) => {
    const image = { "spark.kubernetes.container.image": "img:1" };
    const conf = { ...image, "spark.executor.memroy": "2g", "spark.acme.region": "eu" };
    const rig = await runFixture(t, profile({ follow: "none", conf }));
    assert.deepEqual(rig.closed, [0]);
    assert.deepEqual(
      rig.rows().filter((row) => row.startsWith("warning: ")),
      [
        'warning: Spark 4.3 does not know "spark.executor.memroy". Did you mean "spark.executor.memory"? (unknown-key)',
      ],
    );
    const window = { severityChoices: () => new Map([["unknown-key", "off"] as const]) };
    const silent = await runFixture(t, profile({ follow: "none", conf }), { window });
    assert.equal(
      silent.rows().some((row) => row.startsWith("warning: ")),
      false,
    );
  });

  test("names the credentials, and fails without a connection", async (t) => {
    const conf = await runFixture(t, profile({ follow: "none" }), { identity: { kind: "conf" } });
    assert.equal(conf.rows()[1], "using the credentials from the conf or the environment");
    const none = await runFixture(t, profile({ follow: "none" }), { identity: { kind: "none" } });
    assert.equal(none.rows()[1], "using no credentials");
    const failed = await runFixture(t, profile(), { offer: missing });
    assert.deepEqual(failed.rows(), ["error: It is notFound."]);
  });
});

describe("run of a command line", () => {
  const body = (name: string, role = "driver") => ({
    metadata: {
      ...{ name, namespace: "jobs", uid: `uid-${name}` },
      labels: { "spark-role": role },
    },
    spec: { containers: [] },
    status: { phase: "Running" },
  });
  const asking = (...tokens: readonly string[]): RunSource =>
    line("--master", "k8s://https://dev", ...tokens);

  test("prints the version, and sends nothing", async (t) => {
    const rig = await runFixture(t, line("--version"));
    assert.equal(rig.rows().join("\n").includes("4.3.0"), true);
    assert.deepEqual([rig.closed, rig.hasWritten()], [[0], []]);
  });

  test("submits, and follows as the line says", async (t) => {
    const rig = await runFixture(t, line(...withOptions()));
    assert.equal(rig.rows()[0], 'submitting to namespace "default" of "dev"');
    assert.deepEqual(rig.closed, [0]);
  });

  test("prints the status of a driver", async (t) => {
    const rig = await runFixture(t, asking("--status", "jobs:pi-driver"), {
      bodies: { "Pod pi-driver": body("pi-driver") },
    });
    assert.equal(rig.rows()[0], '"pi-driver" in namespace "jobs" of "dev"');
    assert.equal(rig.rows().length > 4, true);
    const none = await runFixture(t, asking("--status", "jobs:gone"));
    assert.deepEqual(none.rows(), ['pod "gone" not found in namespace "jobs" of "dev"']);
    assert.deepEqual(none.closed, [0]);
    const prefix = await runFixture(t, asking("--status", "jobs:gone*"));
    assert.deepEqual(prefix.rows(), ['no driver matches gone* in namespace "jobs" of "dev"']);
  });

  test("kills a driver after a confirmation", async (t) => {
    const bodies = { "Pod pi-driver": body("pi-driver") };
    const question = [
      'warning: Kill "pi-driver"?',
      'This will delete in namespace "jobs" of "dev":',
      "pi-driver: running, 0 executors",
      "",
      "Their executors, services and config maps are deleted too. Unsaved output will be lost. This cannot be undone.",
      "[Kill Driver]",
    ].join("\n");
    const killed = await runFixture(t, asking("--kill", "jobs:pi-driver"), {
      ...{ bodies, script: ["Kill Driver"] },
    });
    assert.deepEqual(killed.shown, [question]);
    assert.deepEqual(killed.rows(), ["deleted driver pod pi-driver"]);
    assert.deepEqual(killed.closed, [0]);
    const refused = await runFixture(t, asking("--kill", "jobs:pi-driver"), { bodies });
    assert.deepEqual([refused.rows(), refused.closed], [["nothing was deleted"], [1]]);
    assert.deepEqual(refused.hasWritten(), []);
  });

  test("kills all drivers of a pattern, and names pods that are no drivers", async (t) => {
    const bodies = {
      "Pod pi-1": body("pi-1"),
      "Pod pi-2": body("pi-2", "web"),
      "Pod other": body("other"),
    };
    const rig = await runFixture(t, asking("--kill", "jobs:pi*"), {
      ...{ bodies, script: ["Kill 2 Drivers"], refused: { "list Pod": forbidden } },
    });
    assert.equal(rig.rows()[0], "error: It is forbidden.");
    const one = await runFixture(t, asking("--kill", "jobs:pi-2"), { bodies });
    assert.equal(one.shown[0]?.includes("pi-2: running, not a Spark driver"), true);
  });

  test("kills nothing in a read-only context", async (t) => {
    const bodies = { "Pod pi-driver": body("pi-driver") };
    const rig = await runFixture(t, asking("--kill", "jobs:pi-driver"), {
      ...{ bodies, context: "locked" },
    });
    assert.deepEqual(rig.rows(), ['error: "locked" is a read-only context.']);
    assert.deepEqual([rig.shown, rig.closed], [[], [1]]);
  });
});

describe("run of an operator's manifest", () => {
  const manifest = (kind = "SparkApplication", apiVersion = "sparkoperator.k8s.io/v1beta2") =>
    `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: nightly\n  namespace: jobs\nspec: {}\n`;
  const schedule = manifest("ScheduledSparkApplication");
  const ofManifest = (members: object): RunSource => {
    const definition = {
      ...{ type: "spark", label: "etl", application: "/cwd/app.yaml" },
      ...members,
    };
    return { kind: "profile", definition, written: definition };
  };
  const source = ofManifest({ follow: "none" });
  const already: ClusterError = {
    ...{ kind: "conflict", resource: "sparkapplications", name: "nightly", detail: "" },
  };
  const stored = {
    "SparkApplication nightly": {
      ...{ apiVersion: "sparkoperator.k8s.io/v1beta2", kind: "SparkApplication" },
      metadata: { name: "nightly", namespace: "jobs", uid: "uid-nightly", resourceVersion: "1" },
      status: { applicationState: { state: "RUNNING" } },
    },
  };

  test("creates the object, and ends if nothing is followed", async (t) => {
    const rig = await runFixture(t, source, { manifest: manifest() });
    assert.deepEqual(rig.rows(), [
      'submitting SparkApplication "nightly" to namespace "jobs" of "dev"',
      "SparkApplication nightly",
    ]);
    assert.deepEqual(rig.hasWritten(), ["create SparkApplication nightly"]);
    assert.deepEqual(rig.events, ["sent", "connection closed", "submitted"]);
    assert.deepEqual(rig.closed, [0]);
  });

  test("follows no schedule", async (t) => {
    const following = ofManifest({ follow: "driver" });
    const rig = await runFixture(t, following, { manifest: schedule });
    assert.equal(rig.rows().at(-1), "the operator starts applications on schedule");
    assert.deepEqual([rig.closed, rig.events.at(-1)], [[0], "submitted"]);
  });

  test("sends nothing to a read-only context, without a manifest, or in another API version", async (t) => {
    const locked = await runFixture(t, source, { manifest: manifest(), context: "locked" });
    assert.deepEqual(locked.rows(), ['error: "locked" is a read-only context.']);
    const none = await runFixture(t, source, { manifest: "a: 1" });
    assert.deepEqual(none.rows(), ['error: "/cwd/app.yaml" has no SparkApplication.']);
    const old = await runFixture(t, source, {
      manifest: manifest("SparkApplication", "sparkoperator.k8s.io/v1beta1"),
    });
    assert.deepEqual(old.rows(), [
      'error: Unsupported API version "sparkoperator.k8s.io/v1beta1". Use "sparkoperator.k8s.io/v1beta2".',
    ]);
    const others = await runFixture(t, ofManifest({ class: "org.Main", args: ["x"] }), {
      manifest: manifest(),
    });
    assert.deepEqual(others.rows(), [
      'error: These members do not apply to a manifest: "class", "args". Write them in the manifest instead.',
    ]);
    const two = await runFixture(t, source, { manifest: `${manifest()}---\n${manifest()}` });
    assert.deepEqual(two.rows(), [
      'error: "/cwd/app.yaml" has several Spark applications. Select one with "name".',
    ]);
    for (const rig of [locked, none, old, others, two]) {
      assert.deepEqual([rig.closed, rig.hasWritten()], [[1], []]);
      assert.equal(rig.events.at(-1), "notSubmitted");
    }
  });

  test("asks with the current state before it resubmits", async (t) => {
    const rig = await runFixture(t, source, {
      ...{ manifest: manifest(), resubmits: true, bodies: stored },
    });
    assert.deepEqual(rig.shown, [
      'warning: Resubmit "nightly" in namespace "jobs" of "dev"?\nCurrent state: RUNNING. This will delete the existing object with its driver and executors, and create it again from the manifest. This cannot be undone.\n[Resubmit]',
    ]);
    assert.deepEqual([rig.rows(), rig.closed], [["not submitted"], [1]]);
    const unasked = await runFixture(t, source, { manifest: manifest(), resubmits: true });
    assert.deepEqual(unasked.shown, []);
  });

  test("asks before it runs the template of a schedule once", async (t) => {
    const given = { manifest: schedule, resubmits: true, bodies: stored };
    const rig = await runFixture(t, source, { ...given, script: [undefined] });
    assert.deepEqual(rig.shown, [
      'warning: Run the template of "nightly" once now?\nThe schedule in namespace "jobs" of "dev" does not change.\n[Run Once Now]',
    ]);
    assert.deepEqual(rig.hasWritten(), []);
  });

  test("offers to replace an object that already exists", async (t) => {
    const given = { manifest: manifest(), refused: { "create SparkApplication": already } };
    const rig = await runFixture(t, source, { ...given, bodies: stored });
    assert.deepEqual(rig.rows().slice(1), [
      'SparkApplication "nightly" already exists',
      "not submitted",
    ]);
    assert.equal(rig.shown.length, 1);
  });
});
