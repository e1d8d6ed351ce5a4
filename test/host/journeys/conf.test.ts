// Edits Spark properties on each surface by keyboard alone: types and completes a key, gets a finding for an invalid
// value, reads its explanation and fixes it.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { manifestHead } from "../confWorkspace.ts";
import { eventually } from "../eventually.ts";
import { VscodeHost } from "../vscodeHost.ts";
import type { Workbench } from "../workbench.ts";

interface Surface {
  readonly file: string;
  readonly folder?: string;
  /** The title of a code lens to wait for before typing, because code lenses move the lines. */
  readonly lens?: string;
  readonly text: string;
  /** Text of the line below which the test types. */
  readonly below: string;
  /** The text before the key, between key and value, and after the value. */
  readonly typed: readonly [before: string, between: string, behind: string];
  readonly mended: string;
}

const surfaces: readonly Surface[] = [
  {
    file: "spark-defaults.conf",
    text: "# where it runs\nspark.master  k8s://https://127.0.0.1:6443\nspark.executor.instances  20\n",
    below: "spark.executor.instances",
    typed: ["", "", ""],
    mended: "spark.executor.memory 1536m",
  },
  {
    file: "orders.yaml",
    text: `${manifestHead}    spark.app.name: orders
  driver:
    serviceAccount: spark
  executor:
    instances: 20
`,
    below: "spark.app.name: orders",
    typed: ["", "", ""],
    mended: "spark.executor.memory: 1536m",
  },
  {
    file: "run.sh",
    text: `spark-submit --master k8s://https://127.0.0.1:6443 --deploy-mode cluster \\
  --conf spark.kubernetes.container.image=spark:4.3.0 \\
  local:///app/orders.py
`,
    below: "container.image",
    typed: ["--conf ", "", " \\"],
    mended: "spark.executor.memory=1536m",
  },
  {
    file: "orders.py",
    text: `spark = (
    SparkSession.builder.appName("orders")
    .config("spark.executor.instances", "20")
    .getOrCreate()
)
`,
    below: "executor.instances",
    // Includes the closing brackets, because VS Code inserts them only after it has loaded the language.
    typed: ['.config("', '", "', '")'],
    mended: '.config("spark.executor.memory", "1536m")',
  },
  {
    file: "tasks.json",
    folder: ".vscode/",
    lens: "Preview",
    text: `{
  "version": "2.0.0",
  "tasks": [
    {
      "type": "spark",
      "label": "orders",
      "application": "local:///app/orders.py",
      "image": "spark:4.3.0",
      "conf": {
        "spark.executor.instances": "20"
      }
    }
  ]
}
`,
    below: '"conf"',
    typed: ['"', '": "', '",'],
    mended: '"spark.executor.memory": "1536m",',
  },
];

const fiveMistakes = `spark.excutor.cores 2
spark.executor.memory 4 g
spark.sql.adaptive.enabled yes
spark.app.name a
spark.app.name orders
spark.network.timeout 2.5m
`;

describe("settings by keyboard", { timeout: 600_000 }, () => {
  let host: VscodeHost;
  let workbench: Workbench;

  before(async () => {
    host = await VscodeHost.start({ version: "newest" });
    const files = surfaces.map(({ file, folder = "", text }) => [folder + file, text] as const);
    const all = { ...Object.fromEntries(files), "five.spark.conf": fiveMistakes };
    workbench = await host.open(await host.makeWorkspace(all));
  });
  after(() => host.stop());

  const press = (key: string): Promise<void> => workbench.page.keyboard.press(key);
  const hover = async (): Promise<string> => {
    const shown = workbench.page.locator(".monaco-hover:not(.hidden)").first();
    await press("Control+K");
    await press("Control+I");
    // The hover shows the problem first; the description of the key arrives later.
    return eventually(
      "the hover",
      () => shown.innerText(),
      (words) => words.includes("fraction") && words.includes("spark.executor.memory"),
    );
  };

  for (const { file, lens, below, typed, mended } of surfaces) {
    test(`${file}: type, complete, see, hover, mend`, async () => {
      const { editor } = workbench;
      const [first, between, behind] = typed;
      await workbench.openFile(file);
      if (lens !== undefined) await editor.root.getByText(lens, { exact: true }).first().waitFor();
      await editor.goTo(below);
      await press("Enter");
      await editor.typeKeys(`${first}spark.executor.memo`);
      assert.ok((await editor.suggestions()).includes("spark.executor.memory"));
      await press("Enter");
      await editor.waitForText("spark.executor.memory");
      await editor.typeKeys(`${between}1.5g${behind}`);
      await editor.squiggles("error").first().waitFor();
      for (let left = behind.length + 2; left > 0; left -= 1) await press("ArrowLeft");
      await workbench.inThemes(async (theme) => {
        await hover();
        await workbench.picture(`conf-${file}-${theme}`);
        await press("Escape");
      });
      await editor.quickFix('Write "1536m"');
      await editor.waitForText(mended);
      await editor.squiggles("error").first().waitFor({ state: "detached" });
    });
  }

  test("one command fixes five mistakes and formats the file", async () => {
    const { editor } = workbench;
    await workbench.openFile("five.spark.conf");
    await editor.squiggles("error").first().waitFor();
    await editor.goTo("spark.excutor.cores");
    await workbench.command("Fix All");
    await editor.waitForText("spark.network.timeout 150s");
    await workbench.command("Format Document");
    await editor.waitForText("spark.network.timeout       150s");
    const formed = `spark.executor.cores        2
spark.executor.memory       4g
spark.sql.adaptive.enabled  true
spark.app.name              orders
spark.network.timeout       150s`;
    await editor.textThat((text) => text.trim() === formed);
    await workbench.picture("conf-five");
  });

  test("the pods' total memory is shown beside the memory keys", async () => {
    await workbench.openFile("spark-defaults.conf");
    await workbench.editor.waitForText("× 20 =");
    await workbench.picture("conf-totals");
  });

  test("the effective conf of a command is a read-only document", async () => {
    await workbench.openFile("run.sh");
    await workbench.editor.goTo("spark.executor.memory");
    await workbench.command("Spark: Show Effective Conf of File");
    await workbench.editor.waitForText("Effective conf of run.sh");
    await workbench.pictures("conf-effective");
  });

  test("an upgrade opens a report and changes the settings", async () => {
    await workbench.openFile("spark-defaults.conf");
    await workbench.editor.goTo("spark.executor.memory");
    await press("Enter");
    await workbench.editor.typeKeys("spark.shuffle.unsafe.file.output.buffer 64k");
    await workbench.command("Spark: Upgrade Settings to Another Spark Version…");
    await workbench.quickInput.waitFor("Upgrade from which Spark version?");
    await workbench.quickInput.choose("Spark 3.5");
    await workbench.quickInput.waitFor("to which version?");
    await workbench.quickInput.choose("Spark 4.3");
    await workbench.editor.waitForText("From Spark 3.5 to Spark 4.3");
    await workbench.picture("conf-upgrade");
    const titles = await eventually(
      "the report's tab",
      () => workbench.tabTitles(),
      (seen) => seen.some((title) => title.includes("Spark 3.5 to 4.3")),
    );
    assert.ok(titles.length > 0);
    await workbench.answerNotification("can be changed for Spark 4.3", "Apply Changes");
    await workbench.editor.waitForText("spark.shuffle.localDisk.file.output.buffer");
    await workbench.picture("conf-upgrade-changed");
  });
});
