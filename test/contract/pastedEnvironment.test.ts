// A pasted line sets its own variables. None of them selects the sign-in program or its credentials.
import { parseSubmission } from "../../src/spark/submit/plan/parsedSubmission.ts";
import assert from "node:assert/strict";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { type TestContext, test } from "node:test";
import { openClusters } from "../../src/cluster/door.ts";
import { prepareRun, type SubmitLine } from "../../src/editor/submit/prepareRun.ts";
import { newAuthority } from "../../src/sandbox/security/certificates.ts";
import { sendNothing, submissionEnvironmentOf, withOptions } from "../unit/submit/prepared.ts";
import { realClock } from "./clocks.ts";
import { startServer } from "./hostileServer.ts";
import { namespaceJson, never, readNamespace, temporaryFolder, valueOf } from "./rig.ts";

const authority = newAuthority("Test Authority");
const tls = authority.issue("api.test");
const apiVersion = "client.authentication.k8s.io/v1";

/** Creates a folder with a plug-in "sign-in" that records its environment and returns its name as the token. */
async function newPlugin(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path);
  const status = { token: `token-of-${name}` };
  const credential = JSON.stringify({ apiVersion, kind: "ExecCredential", status });
  const script = `#!/bin/sh\nenv > '${path}/ran'\necho '${credential}'\n`;
  await writeFile(join(path, "sign-in"), script);
  await chmod(join(path, "sign-in"), 0o755);
  return path;
}

const ranIn = (folder: string): Promise<string | undefined> =>
  readFile(join(folder, "ran"), "utf8").catch(() => undefined);

interface Outcome {
  readonly authorization: string | undefined;
  /** The environment that each plug-in recorded; undefined if it did not run. */
  readonly own: string | undefined;
  readonly evil: string | undefined;
}

/** Sends one request as the pasted line requires. `line` returns its variables and the approved kubeconfig. */
async function submit(
  t: TestContext,
  line: (places: {
    readonly evil: string;
    readonly kubeconfig: string;
  }) => Pick<SubmitLine, "environment" | "kubeconfig">,
): Promise<Outcome> {
  const folder = await temporaryFolder(t);
  const [own, evil] = [await newPlugin(folder, "own"), await newPlugin(folder, "evil")];
  const server = await startServer(
    t,
    (_seen, reply) => {
      reply.json(200, namespaceJson);
    },
    { tls },
  );
  const cluster = {
    server: server.url,
    "certificate-authority-data": Buffer.from(authority.cert).toString("base64"),
  };
  const config = (name: string, command: string): Promise<void> =>
    writeFile(
      join(folder, name),
      JSON.stringify({
        clusters: [{ name: "c", cluster }],
        users: [{ name: "u", user: { exec: { apiVersion, command, interactiveMode: "Never" } } }],
        contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
        "current-context": "x",
      }),
    );
  await config("config", "sign-in");
  await config("other", join(evil, "sign-in"));
  const env = {
    PATH: [own, process.env["PATH"]].join(delimiter),
    KUBECONFIG: join(folder, "config"),
  };
  const clusters = openClusters({
    clock: realClock,
    random: () => 0,
    env,
    homeDirectory: folder,
    userAgent: "contract-test/1",
    log: () => undefined,
    serviceAccountFolder: join(folder, "none"),
  });
  t.after(() => {
    clusters.dispose();
  });
  const settings = { kubeconfigFiles: [join(folder, "config")], mayRunPlugins: true };
  const tokens = withOptions("--master", `k8s://${server.url}`);
  const prepared = await prepareRun(
    {
      kind: "line",
      line: {
        submission: parseSubmission({ kind: "tokens", sparkVersion: "4.3.0", tokens }),
        written: "",
        ...line({ evil, kubeconfig: join(folder, "other") }),
      },
    },
    {
      submissionEnvironment: submissionEnvironmentOf({}),
      fetchTexts: () => Promise.resolve(new Map()),
      collectCode: sendNothing,
    },
    {
      target: (context, signal) => clusters.target(context, settings, signal),
      connectTo: (access, kubeconfig, signal) =>
        clusters.connectTo(
          access,
          { context: undefined, kubeconfig, isOfWorkspace: () => Promise.resolve(false) },
          settings,
          signal,
        ),
    },
    never,
  );
  assert.ok(prepared.ok && prepared.value.kind === "submit");
  const connection = await prepared.value.offer.open(() => Promise.resolve(true), never);
  await readNamespace(valueOf(connection));
  return {
    authorization: server.seen.at(-1)?.headers.authorization,
    own: await ranIn(own),
    evil: await ranIn(evil),
  };
}

test("ignores the PATH of a pasted line when it resolves a plug-in", async (t) => {
  const outcome = await submit(t, ({ evil }) => ({
    environment: { PATH: [evil, process.env["PATH"]].join(delimiter) },
    kubeconfig: undefined,
  }));
  assert.equal(outcome.authorization, "Bearer token-of-own");
  assert.equal(outcome.evil, undefined);
});

test("passes no variable of a pasted line to a plug-in or the connection", async (t) => {
  const names = ["LD_PRELOAD_", "AWS_PROFILE", "SPARK_HOME", "JAVA_TOOL_OPTIONS", "HTTPS_PROXY"];
  const outcome = await submit(t, () => ({
    environment: Object.fromEntries(names.map((name) => [name, "http://127.0.0.1:9/pasted"])),
    kubeconfig: undefined,
  }));
  assert.equal(outcome.authorization, "Bearer token-of-own");
  assert.doesNotMatch(outcome.own ?? "", /pasted/);
});

test("reads the KUBECONFIG of a pasted line only after consent", async (t) => {
  const outcome = await submit(t, ({ kubeconfig }) => ({
    environment: { KUBECONFIG: kubeconfig },
    kubeconfig: undefined,
  }));
  assert.equal(outcome.authorization, "Bearer token-of-own");
  assert.equal(outcome.evil, undefined);
  const agreed = await submit(t, ({ kubeconfig }) => ({
    environment: { KUBECONFIG: kubeconfig },
    kubeconfig,
  }));
  assert.equal(agreed.authorization, "Bearer token-of-evil");
});
