// A pod template at a URL: the request must not disclose the value of a variable to the server.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { type TestContext, test } from "node:test";
import { inEnglish } from "../../src/base/message.ts";
import { configurationFailure } from "../../src/cluster/failure.ts";
import { prepareRun, type RunSource } from "../../src/editor/submit/prepareRun.ts";
import { fetchTexts } from "../../src/storage/door.ts";
import { parseSubmission } from "../../src/spark/submit/plan/parsedSubmission.ts";
import {
  conf,
  sendNothing,
  submissionEnvironmentOf,
  withOptions,
} from "../unit/submit/prepared.ts";
import { never } from "./rig.ts";

const key = "spark.kubernetes.driver.podTemplateFile";
const master = "k8s://https://api.test:6443";
const canary = "canary-5f3a9c";
const defaults = "/conf/spark-defaults.conf";

/** Starts a web server that serves templates and records the requested paths. */
async function startTemplates(
  t: TestContext,
): Promise<{ readonly url: string; readonly paths: string[] }> {
  const paths: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    paths.push(url);
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return { url: `http://127.0.0.1:${address.port}`, paths };
}

/** Returns the findings of a run whose connection fails, one per line. `file` is the text of spark-defaults.conf. */
async function findingsOf(source: RunSource, file = ""): Promise<string> {
  const prepared = await prepareRun(
    source,
    {
      submissionEnvironment: submissionEnvironmentOf({
        environment: { SPARK_CONF_DIR: "/conf" },
        files: { [defaults]: file },
      }),
      fetchTexts: (addresses, signal) =>
        fetchTexts(addresses, { mayReach: () => Promise.resolve(true) }, signal),
      collectCode: sendNothing,
    },
    {
      target: () => Promise.resolve(configurationFailure("noKubeconfig", "none")),
      connectTo: () => Promise.resolve(configurationFailure("declined", "none")),
    },
    never,
  );
  assert.ok(!prepared.ok);
  const { error } = prepared;
  return error.kind === "findings"
    ? error.findings.map(({ message }) => inEnglish(message)).join("\n")
    : "";
}

const profile = (filled: string, written: string): RunSource => {
  const definition = (address: string): unknown => ({
    type: "spark",
    application: "local:///opt/a.jar",
    class: "a.Main",
    master,
    sparkVersion: "4.3.0",
    image: "spark:4.3.0",
    conf: { [key]: address },
  });
  return { kind: "profile", definition: definition(filled), written: definition(written) };
};

const line = (filled: string, written: string, options: readonly string[] = []): RunSource => ({
  kind: "line",
  line: {
    submission: parseSubmission({
      kind: "tokens",
      sparkVersion: "4.3.0",
      tokens: withOptions(...options, ...conf(`${key}=${filled}`)),
    }),
    environment: {},
    kubeconfig: undefined,
    written: `spark-submit --conf ${key}=${written}`,
  },
});

test("fetches no template whose URL contains a variable, and shows no value", async (t) => {
  const { url, paths } = await startTemplates(t);
  for (const source of [profile, line]) {
    const written = ["${env:GITHUB_TOKEN}", "${config:a.token}", "${input:password}", "$TOKEN"];
    for (const variable of written) {
      const found = await findingsOf(source(`${url}/${canary}`, `${url}/${variable}`));
      assert.match(found, /podTemplateFile" was not fetched: its URL contains a variable/);
      assert.doesNotMatch(found, /canary/);
    }
  }
  assert.deepEqual(paths, []);
});

test("fetches no template for an invalid submission, nor for an action that submits nothing", async (t) => {
  const { url, paths } = await startTemplates(t);
  const address = `${url}/template.yaml`;
  const invalid = await findingsOf(line(address, address, ["--driver-memory", "much"]));
  assert.match(invalid, /is not a positive size/);
  await findingsOf(line(address, address, ["--status", "dev:driver"]));
  assert.deepEqual(paths, []);
});

test("fetches a template whose URL is literal in the document or in a conf file", async (t) => {
  const { url, paths } = await startTemplates(t);
  const address = `${url}/template.yaml`;
  assert.doesNotMatch(await findingsOf(profile(address, address)), /was not fetched/);
  assert.doesNotMatch(await findingsOf(line(address, address)), /was not fetched/);
  const source = {
    kind: "line",
    line: {
      submission: parseSubmission({ kind: "tokens", sparkVersion: "4.3.0", tokens: withOptions() }),
      environment: {},
      kubeconfig: undefined,
      written: "spark-submit",
    },
  } as const;
  assert.doesNotMatch(await findingsOf(source, `${key} ${address}`), /was not fetched/);
  assert.deepEqual(paths, ["/template.yaml", "/template.yaml", "/template.yaml"]);
});
