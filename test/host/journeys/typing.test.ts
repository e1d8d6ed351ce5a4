// The prompts of a submission, answered by a fast typist while their choices are still loading: each value is submitted
// as typed. The cluster rejects the driver, so the values are suggested in this window only.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { after, before, describe, test } from "node:test";
import { fieldsOf, itemsOf } from "../../../src/base/json.ts";
import { FuzzRandom } from "../../fuzz/random.ts";
import { eventually } from "../eventually.ts";
import type { Workbench } from "../workbench.ts";
import {
  openLittleCluster,
  podOf,
  statusOf,
  type Asked,
  type LittleClusterEditor,
  type Told,
} from "./littleCluster.ts";

let source = new FuzzRandom(0);
/** Returns a number from 0 to 0.999, which depends on the seed of the round. */
const random = (): number => source.below(1_000) / 1_000;

/** The driver pods in requests to create a pod. */
const drivers: unknown[] = [];

// Choices that have a typed value as a prefix.
const running = ["4.3.0-a", "4.3.0-b"].map((tag, at) => {
  const pod = podOf(`other-${at}-driver`, {
    labels: { "spark-role": "driver" },
    createdAt: new Date().toISOString(),
  });
  const containers = [{ name: "main", image: `team/spark:${tag}` }];
  return { ...fieldsOf(pod), spec: { nodeName: "node-1", containers } };
});
const accounts = ["spark", "spark-", "spark-d", "spark-dr", "spark-driver", "spark-k8s"].map(
  (name) => ({ metadata: { name, namespace: "etl" } }),
);

async function answer({ method, path, isWatch, body }: Asked, told: Told): Promise<void> {
  if (isWatch && path.endsWith("/pods")) {
    told.watch(running);
    return;
  }
  if (method === "POST" && path.endsWith("/pods")) {
    drivers.push(JSON.parse(body));
    told.json(403, statusOf(403, "Forbidden", "pods is forbidden here"));
    return;
  }
  // Wait up to 250 ms, so that responses arrive between keystrokes.
  await sleep(random() * 250);
  const items = path.endsWith("/pods")
    ? running
    : path.endsWith("/serviceaccounts")
      ? accounts
      : undefined;
  if (items !== undefined) told.json(200, { metadata: { resourceVersion: "1" }, items });
  else if (/\/self|\/subjectaccessreviews$/.test(path))
    told.json(201, { status: { allowed: true } });
  else told.json(404, statusOf(404, "NotFound", "not here"));
}

interface Typed {
  readonly application: string;
  readonly mainClass: string;
  readonly image: string;
  readonly serviceAccount: string;
  readonly argument: string;
}

/** Returns the values of a round. Some are prefixes of choices, and some begin with a value of an earlier round. */
const typedIn = (round: number): Typed => ({
  application: `local:///opt/jobs/orders-${"x".repeat(round)}.jar`,
  mainClass: `shop.Orders${"X".repeat(round)}`,
  image: `team/spark:4.3.${round}`,
  serviceAccount: "spark-driver".slice(0, 5 + round),
  argument: `day-${round}`,
});

describe("a fast typist", { timeout: 240_000 }, () => {
  let editor: LittleClusterEditor;
  let workbench: Workbench;

  before(async () => {
    editor = await openLittleCluster((asked, told) => {
      void answer(asked, told);
    });
    ({ workbench } = editor);
    await workbench.tree("Applications").row("orders").waitFor();
  });
  after(() => editor.close());

  const asked = (placeholder: RegExp) =>
    workbench.quickInput.root.getByPlaceholder(placeholder).first().waitFor();

  /** Types key by key with random pauses, and presses Enter immediately or after another pause. */
  const type = async (text: string): Promise<void> => {
    const pause = random() < 0.5 ? 0 : 60;
    for (const key of text) {
      await workbench.page.keyboard.type(key);
      if (random() < 0.3) await sleep(random() * pause);
    }
    if (random() < 0.3) await sleep(random() * 200);
    await workbench.page.keyboard.press("Enter");
  };

  /** Begins a submission and types the value of its first prompt. */
  const begin = async (application: string): Promise<void> => {
    await workbench.command("Spark: Submit Application…");
    await asked(/^Application:/);
    await type(application);
  };

  test("is told that an answer is missing", async () => {
    await begin("local:///opt/jobs/orders.jar");
    await asked(/^Main class/);
    await type("");
    await workbench.quickInput.root
      .getByText("Enter the fully qualified class name")
      .first()
      .waitFor();
    await workbench.picture("typing-missing");
    await type("");
    await asked(/^Main class/);
    await workbench.quickInput.cancel();
  });

  for (const round of [0, 1, 2, 3]) {
    test(`sends each answer as it was typed, seed ${round}`, async () => {
      source = new FuzzRandom(round);
      const typed = typedIn(round);
      await begin(typed.application);
      for (const [placeholder, text] of [
        [/^Main class/, typed.mainClass],
        [/^Spark image/, typed.image],
        [/^Service account/, typed.serviceAccount],
        [/^Configuration file/, ""],
        [/^Arguments/, typed.argument],
      ] as const) {
        await asked(placeholder);
        await type(text);
      }
      const [driver] = await eventually(
        "the driver's request",
        () => Promise.resolve(drivers.splice(0)),
        (found) => found.length > 0,
      );
      const spec = fieldsOf(fieldsOf(driver)["spec"]);
      const [container] = itemsOf(spec["containers"]);
      const { image, args } = fieldsOf(container);
      assert.deepEqual(
        { image, account: spec["serviceAccountName"], args: itemsOf(args).slice(-4) },
        {
          image: typed.image,
          account: typed.serviceAccount,
          args: ["--class", typed.mainClass, typed.application, typed.argument],
        },
      );
    });
  }

  test("refuses a service account that the namespace lacks", async () => {
    await begin("local:///opt/jobs/orders.py");
    await asked(/^Spark image/);
    await type("team/spark:4.3.0");
    await asked(/^Service account/);
    await type("sprak");
    const refused = 'No such service account in namespace "etl"';
    await workbench.quickInput.root.getByText(refused).first().waitFor();
    await workbench.picture("typing-account");
    await workbench.quickInput.cancel();
  });

  test("is offered the answers of a refused submission", async () => {
    await begin("local:///opt/jobs/orders.py");
    await asked(/^Spark image/);
    const labels = await workbench.quickInput.labels();
    assert.deepEqual(
      [...labels].sort(),
      [typedIn(3).image, "team/spark:4.3.0-a", "team/spark:4.3.0-b"].sort(),
    );
    await workbench.quickInput.cancel();
  });

  test("chooses the namespace if several are watched", async () => {
    await editor.host.changeSettings({ "sparkK8s.namespaces": ["etl", "ml"] });
    await workbench.reload();
    await workbench.command("Spark: Submit Application…");
    await asked(/^Namespace/);
    await workbench.picture("typing-namespace");
    await type("ml");
    await workbench.quickInput.root.getByText('namespace "ml"').first().waitFor();
    await asked(/^Application:/);
    await workbench.quickInput.cancel();
  });
});
