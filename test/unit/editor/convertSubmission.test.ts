import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { err, ok } from "../../../src/base/result.ts";
import {
  convertSubmission,
  type ConversionOptions,
  type ConvertWindow,
} from "../../../src/editor/submit/convertSubmission.ts";
import type { ManifestPlace } from "../../../src/editor/submit/manifestDocuments.ts";
import { scriptedScreen } from "./screenFixture.ts";
import { uri } from "./submitFixture.ts";

const command =
  "spark-submit --master k8s://https://dev:6443 --deploy-mode cluster --conf spark.kubernetes.container.image=apache/spark:4.0.1 local:///opt/a.py";
const manifestOf = (name: string, more = ""): string => `apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata:
  name: ${name}
spec:
  type: Python
  mode: cluster
  image: apache/spark:4.0.1
  sparkVersion: 4.0.1
  mainApplicationFile: local:///opt/${name}.py
${more}`;
const profile = {
  type: "spark",
  label: "orders",
  application: "local:///opt/orders.py",
  image: "apache/spark:4.0.1",
};

interface Given {
  readonly script?: readonly (string | undefined)[];
  /** The text in the active editor. */
  readonly text?: string;
  readonly path?: string;
  readonly languageId?: string;
  readonly selected?: string;
  readonly line?: number;
  readonly clipboard?: string;
  readonly tasks?: unknown;
  readonly isTrusted?: boolean;
  readonly hasCluster?: boolean;
  readonly files?: Readonly<Record<string, string>>;
  readonly place?: ManifestPlace;
}

async function converted(given: Given) {
  const { script = [], text, path = "/project/a.sh", selected = "", line = 0 } = given;
  const { languageId = "shellscript", isTrusted = true, hasCluster = true, files = {} } = given;
  const screen = scriptedScreen(...script);
  const opened: (readonly [string, string])[] = [];
  let asked = 0;
  const window: ConvertWindow = {
    screen,
    inStatusBar: (_, work) => work(new AbortController().signal),
    mayReadKubeconfig: () => isTrusted,
    textOf: () => Promise.resolve(text ?? ""),
    activeText: () =>
      text === undefined ? undefined : { uri: uri(path), text, languageId, selected, line },
    clipboard: () => Promise.resolve(given.clipboard ?? ""),
    tasksOfFolders: () => [{ uri: uri("/project/tasks.json"), tasks: given.tasks }],
    folderOf: (of) => (of === undefined ? undefined : "/project"),
    open: (language, content) => {
      opened.push([language, content]);
      return Promise.resolve();
    },
  };
  const target = { context: "dev", server: "https://own:6443", namespace: "jobs" };
  const options: ConversionOptions = {
    sparkVersion: "4.3.0",
    clusters: {
      target: () => {
        asked += 1;
        return Promise.resolve(
          hasCluster ? ok(target) : err({ kind: "configuration", problem: "noContext" }),
        );
      },
    } as unknown as ConversionOptions["clusters"],
    readText: (file) => files[file],
  };
  await convertSubmission(given.place, options, window);
  return { shown: screen.shown, opened, text: opened.at(-1)?.[1] ?? "", asked };
}

const kubeflow = "SparkApplication of sparkoperator.k8s.io/v1beta2";
const rowsOf = (shown: readonly string[]) => (shown[0] ?? "").split("\n").slice(2);

describe("sources of a conversion", () => {
  test("are a message if there is none", async () => {
    for (const given of [{}, { text: "ls -l" }, { clipboard: "spark is a word" }]) {
      const { shown, opened } = await converted(given);
      assert.match(shown.join(), /^info: Nothing to convert\./);
      assert.deepEqual(opened, []);
    }
  });

  test("are in order of proximity, and profiles first in tasks.json", async () => {
    const given = {
      ...{ text: manifestOf("etl"), languageId: "yaml", path: "/project/etl.yaml" },
      ...{ selected: command, clipboard: command, tasks: [profile] },
    };
    const { shown } = await converted(given);
    assert.deepEqual(rowsOf(shown), [
      "spark-submit line | the selected command",
      'etl | SparkApplication "etl" of sparkoperator.k8s.io/v1beta2',
      "spark-submit line | the clipboard",
      'orders | the run profile "orders"',
    ]);
    const inTasks = await converted({ ...given, path: "/project/.vscode/tasks.json" });
    assert.equal(rowsOf(inTasks.shown)[0], 'orders | the run profile "orders"');
    assert.equal(rowsOf(inTasks.shown).length, 4);
  });

  test("are manifests only in YAML, and profiles only among the tasks of the extension", async () => {
    const { shown } = await converted({
      ...{ text: manifestOf("etl"), languageId: "plaintext", clipboard: command },
      tasks: [{ type: "shell", command: "ls" }, "text", null],
    });
    assert.deepEqual(shown[0]?.split("\n")[0], "pick: Convert Submission: the clipboard");
  });

  test("are the manifest at a place, or all manifests of the document", async () => {
    const text = `${manifestOf("one")}---\n${manifestOf("two")}`;
    const place = (offset: number | undefined) => ({ uri: uri("/project/both.yaml"), offset });
    const all = await converted({ text, place: place(undefined), clipboard: command });
    assert.deepEqual(
      rowsOf(all.shown).map((row) => row.split(" | ")[0]),
      ["one", "two"],
    );
    const second = await converted({ text, place: place(text.indexOf("apiVersion", 20)) });
    assert.match(second.shown[0] ?? "", /^pick: Convert Submission: SparkApplication "two"/);
  });

  test("have the command at the cursor with its continuation and the assignments above", async () => {
    const script = [
      ...["echo first", "IMAGE=apache/spark:4.0.2", "export NAME=orders", "echo $NAME"],
      ...["spark-submit --master k8s://https://dev:6443 \\", "  --deploy-mode cluster \\"],
      ...["  --conf spark.kubernetes.container.image=$IMAGE \\", "  --name $NAME \\"],
      ...["  local:///opt/a.py", "spark-submit local:///opt/other.py"],
    ];
    for (const line of [4, 6, 8]) {
      const { text } = await converted({ text: script.join("\r\n"), line, script: [kubeflow] });
      assert.match(text, /converted from the command at the cursor/);
      assert.match(text, /name: orders/);
      assert.match(text, /image: apache\/spark:4\.0\.2/);
      assert.doesNotMatch(text, /other\.py/);
    }
  });

  test("ignore a text that is longer than a command line", async () => {
    const { shown } = await converted({ clipboard: `${command}${" ".repeat(200_000)}` });
    assert.match(shown[0] ?? "", /^info: Nothing to convert/);
  });
});

describe("conversion of a submission", () => {
  test("offers every form but that of the source", async () => {
    const { shown, opened } = await converted({ clipboard: command });
    assert.deepEqual(rowsOf(shown), [
      ...[kubeflow, "SparkApplication of spark.apache.org/v1", "Run profile"],
    ]);
    assert.deepEqual(opened, []);
  });

  test("takes the Spark version of the image, or else that of the setting", async () => {
    const given = { clipboard: command, script: [kubeflow] };
    assert.match((await converted(given)).text, /sparkVersion: "4\.0\.1"/);
    const unknown = { ...given, clipboard: command.replace("apache/spark:4.0.1", "own:7") };
    assert.match((await converted(unknown)).text, /sparkVersion: "?4\.3\.0/);
  });

  test("asks for the cluster only if the result or the source needs it", async () => {
    const place = { uri: uri("/project/etl.yaml"), offset: undefined };
    const line = await converted({
      ...{ place, text: manifestOf("etl"), script: ["spark-submit line"] },
    });
    assert.equal(line.asked, 1);
    assert.equal(line.opened[0]?.[0], "shellscript");
    assert.match(line.text, /--master k8s:\/\/https:\/\/own:6443/);
    assert.equal((await converted({ tasks: [profile], script: [kubeflow] })).asked, 1);
    assert.equal((await converted({ clipboard: command, script: [kubeflow] })).asked, 0);
  });

  test("reads no kubeconfig in an untrusted workspace, and works without a cluster", async () => {
    const place = { uri: uri("/project/etl.yaml"), offset: undefined };
    const given = { place, text: manifestOf("etl"), script: ["spark-submit line"] };
    const untrusted = await converted({ ...given, isTrusted: false });
    assert.equal(untrusted.asked, 0);
    assert.doesNotMatch(untrusted.text, /own:6443/);
    const without = await converted({ ...given, hasCluster: false });
    assert.match(without.text, /local:\/\/\/opt\/etl\.py/);
    assert.doesNotMatch(without.text, /own:6443/);
  });

  test("opens the generated files before the result, which refers to them", async () => {
    const place = { uri: uri("/project/etl.yaml"), offset: undefined };
    const driver = `  driver:
    template:
      spec:
        nodeName: node-1
`;
    const { opened, shown } = await converted({
      ...{ place, text: manifestOf("etl", driver), script: ["spark-submit line"] },
    });
    assert.deepEqual(
      opened.map(([language]) => language),
      ["yaml", "shellscript"],
    );
    assert.match(opened[0]?.[1] ?? "", /^# Save this file as "[^"]+"\.\n/);
    assert.match(shown.at(-1) ?? "", /^warning: Converted with/);
  });

  test("reads the files of the source relative to its folder", async () => {
    const option = "--conf spark.kubernetes.driver.podTemplateFile=file:pods/driver.yaml";
    const { text } = await converted({
      text: command.replace("local:", `${option} local:`),
      script: [kubeflow],
      files: { "/project/pods/driver.yaml": "spec:\n  nodeName: node-7\n" },
    });
    assert.match(text, /nodeName: node-7/);
  });

  test("counts its remarks", async () => {
    const named = command.replace("spark-submit", "spark-submit --name orders");
    const one = await converted({ clipboard: named, script: [kubeflow] });
    assert.equal(
      one.shown.at(-1),
      "warning: Converted with 1 remark. See the top of the document.",
    );
    const more = `AWS_REGION=eu ${named.replace("local:", "--conf spark.app.day=$DAY local:")}`;
    const four = await converted({ clipboard: more, script: [kubeflow] });
    assert.match(four.text, /# To do: set the value of "DAY"\./);
    assert.match(four.text, /# Omitted: "AWS_REGION" before the command/);
    assert.match(four.shown.at(-1) ?? "", /^warning: Converted with 4 remarks\./);
  });
});
