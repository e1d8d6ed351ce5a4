// Python packages that the image lacks: installed on this machine, sent, and imported by driver and executors.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { VscodeHost } from "../host/vscodeHost.ts";
import type { Workbench } from "../host/workbench.ts";
import { requireCluster } from "./requireCluster.ts";
import { openEditor, openTestPlace, smallConf, tasksJson, type TestPlace } from "./testPlace.ts";

const { kubeconfig, image } = requireCluster();
const namespace = `spark-k8s-packages-${process.pid}`;
// A driver with a tenth of a core is slow on a busy node.
const startMs = 420_000;

// markupsafe contains a native extension module, which Python cannot import from a zip file.
const program = `from dateutil.parser import parse
from markupsafe import _speedups
from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()


def day(text):
    from dateutil.parser import parse
    from markupsafe import _speedups

    return parse(text).day, _speedups.__file__.endswith(".so")


print("in the driver", parse("2 January 2026").day, _speedups.__file__.endswith(".so"))
print("in executors", spark.sparkContext.parallelize(["3 May 2026", "4 May 2026"], 2).map(day).collect())
spark.stop()
`;

const totals = `import numpy
from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
parts = spark.sparkContext.parallelize(range(6), 2).glom()
print("numpy", numpy.__version__, "has the totals", parts.map(lambda part: int(numpy.sum(part))).collect())
spark.stop()
`;

const profile = {
  type: "spark",
  label: "days",
  application: "${workspaceFolder}/days.py",
  image,
  namespace,
  serviceAccount: "spark",
  conf: { ...smallConf, "spark.task.maxFailures": 1 },
};

describe("Python packages that the image lacks", { timeout: 1_500_000 }, () => {
  let host: VscodeHost;
  let workbench: Workbench;
  let place: TestPlace;
  let folder: string;

  before(async () => {
    place = await openTestPlace(kubeconfig, namespace);
    ({ host, workbench, folder } = await openEditor(kubeconfig, namespace, {
      ".vscode/tasks.json": tasksJson([profile]),
      "days.py": program,
      "requirements.txt": "python-dateutil==2.9.0.post0\nmarkupsafe==3.0.2\n",
    }));
    await workbench.openFile("days.py");
  });
  after(async () => {
    await host.stop();
    await place.close();
  });

  test("the first run asks the image and the user, and sends the packages", async () => {
    await workbench.command("Spark: Run on Cluster");
    await workbench.waitForTerminal("checking the Python packages of the image", startMs);
    await workbench
      .dialog("lacks Python packages of requirements.txt")
      .waitFor({ timeout: startMs });
    await workbench.picture("packages-1-question");
    await workbench.answerDialog("lacks Python packages", "Install and Send");
    await workbench.waitForTerminal("installing for Python", startMs);
    await workbench.waitForTerminal("in the driver 2 True", startMs);
    await workbench.waitForTerminal("in executors [(3, True), (4, True)]", startMs);
    await workbench.waitForTerminal("driver: succeeded", startMs);
    await workbench.picture("packages-2-run");
  });

  test("Show What Is Sent lists each package with its size", async () => {
    await workbench.command("Spark: Show What Is Sent");
    await workbench.tab("sent.txt").waitFor();
    await workbench.editor.waitForText("markupsafe 3.0.2");
    const text = await workbench.editor.root.innerText();
    assert.match(text, /python-dateutil\s2\.9\.0\.post0/);
    assert.match(text, /Python\spackages\sof\srequirements\.txt/);
    await workbench.pictures("packages-3-sent");
    await workbench.openFile("days.py");
  });

  test("the next run asks nothing, starts no pod for the image, and streams a larger package", async () => {
    await writeFile(join(folder, "requirements.txt"), "numpy==2.2.6\n");
    await writeFile(join(folder, "days.py"), totals);
    await workbench.command("Spark: Run Last Again");
    await workbench.waitForTerminal("streamed into the driver pod", startMs);
    await workbench.waitForTerminal("numpy 2.2.6 has the totals [3, 12]", startMs);
    await workbench.waitForTerminal("driver: succeeded", startMs);
    const pods = await place.connection.objects.list(
      { apiVersion: "v1", kind: "Pod" },
      namespace,
      "",
      AbortSignal.timeout(5000),
    );
    assert.ok(pods.ok);
    assert.deepEqual(
      pods.value.map(({ name }) => name).filter((name) => name.endsWith("-python")),
      [],
    );
  });
});
