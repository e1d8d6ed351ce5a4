import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { assistantTools } from "../../../src/engine/assistant/assistantTools.ts";
import { fieldAt, itemsOf, textAt } from "../../../src/base/json.ts";
import { callMcpTool, openMcpClient } from "../../mcpClient.ts";

const folder = mkdtempSync(join(tmpdir(), "spark-k8s-mcp-"));
after(() => {
  rmSync(folder, { recursive: true });
});
const noKubeconfig = ["--kubeconfig", join(folder, "missing")];

describe("spark-k8s mcp", () => {
  test("offers the tools with their schemas, those that change a cluster only if allowed", async (t) => {
    for (const allows of [false, true]) {
      const client = await openMcpClient(t, [
        ...noKubeconfig,
        ...(allows ? ["--allow-changes"] : []),
      ]);
      const { tools } = await client.listTools();
      const expected = assistantTools.filter(({ effect }) => allows || effect === "read");
      assert.deepEqual(
        tools.map(({ name, inputSchema }) => ({ name, inputSchema })),
        expected.map(({ name, input }) => ({ name, inputSchema: input })),
      );
      const destructive = tools.filter(({ annotations }) => annotations?.destructiveHint === true);
      assert.equal(destructive.length, allows ? 2 : 0);
    }
  });

  test("checks conf without a cluster", async (t) => {
    const client = await openMcpClient(t, noKubeconfig);
    const given = { text: "spark.app.name a\nspark.exeutor.cores 1\n", surface: "properties" };
    const answer = await callMcpTool(client, "spark_lint_conf", given);
    const [finding, ...others] = itemsOf(fieldAt(answer, "findings"));
    assert.deepEqual(others, []);
    assert.equal(fieldAt(finding, "line"), 2);
    assert.equal(fieldAt(finding, "code"), "unknown-key");
  });

  test("previews a submission with redacted secrets", async (t) => {
    const client = await openMcpClient(t, noKubeconfig, { cwd: folder });
    const answer = await callMcpTool(client, "spark_preview_submission", {
      arguments: [
        ...["--master", "k8s://https://host:6443", "--deploy-mode", "cluster", "--name", "etl"],
        ...["--conf", "spark.kubernetes.container.image=spark:4.3.0"],
        ...["--conf", "spark.my.password=planted-1", "--class", "A", "local:///a.jar"],
      ],
    });
    const yaml = textAt(answer, "yaml") ?? "";
    assert.match(yaml, /kind: Pod/);
    assert.match(yaml, /spark\.my\.password/);
    assert.doesNotMatch(yaml, /planted-1/);
  });

  test("reads no file outside the working folder for a preview", async (t) => {
    const secret = join(folder, "template.yaml");
    writeFileSync(
      secret,
      "kind: Pod\nmetadata: {labels: {planted: label}}\nspec: {containers: [{name: a}]}\n",
    );
    const given = {
      arguments: [
        ...["--master", "k8s://https://host:6443", "--deploy-mode", "cluster"],
        ...["--conf", "spark.kubernetes.container.image=spark:4.3.0"],
        ...["--conf", `spark.kubernetes.driver.podTemplateFile=${secret}`],
        ...["--class", "A", "local:///a.jar"],
      ],
    };
    const inside = await openMcpClient(t, noKubeconfig, { cwd: folder });
    const shown = await callMcpTool(inside, "spark_preview_submission", given);
    assert.match(textAt(shown, "yaml") ?? JSON.stringify(shown), /planted: "?label/);
    const elsewhere = mkdtempSync(join(tmpdir(), "spark-k8s-mcp-"));
    const other = await openMcpClient(t, noKubeconfig, { cwd: elsewhere });
    assert.doesNotMatch(
      JSON.stringify(await callMcpTool(other, "spark_preview_submission", given)),
      /planted/,
    );
    rmSync(elsewhere, { recursive: true });
  });

  test("says what failed, why and what to do without a kubeconfig", async (t) => {
    const client = await openMcpClient(t, noKubeconfig);
    const answer = await callMcpTool(client, "spark_list_applications", {});
    assert.match(String(answer), /^Cannot connect to the cluster: no kubeconfig was found\./);
  });

  test("prints its usage, and refuses unknown options with exit code 2", () => {
    const run = (...words: readonly string[]) =>
      spawnSync(process.execPath, [join(import.meta.dirname, "../../../dist/cli.cjs"), ...words], {
        encoding: "utf8",
      });
    assert.match(run("mcp", "--help").stdout, /^Usage: spark-k8s mcp/);
    const wrong = run("mcp", "--alow-changes");
    assert.deepEqual([wrong.status, wrong.stdout], [2, ""]);
    assert.match(wrong.stderr, /alow-changes/);
  });
});
