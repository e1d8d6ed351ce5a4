// Runs in the extension host: activates the empty extension and ours, and prints the durations.
import * as vscode from "vscode";
import { loadedBundles } from "../../host/inside/loadedBundles.ts";

const ids = ["bench.empty", "spark-k8s.spark-k8s"] as const;

export async function run(): Promise<void> {
  // The extension that activates first also loads the shared modules, so the order is reversed in half of the runs.
  const order = process.env["BENCH_ORDER"] === "reversed" ? [...ids].reverse() : ids;
  await quiet();
  const times: Record<string, number> = {};
  for (const id of order) {
    const extension = vscode.extensions.getExtension(id);
    if (extension === undefined) throw new Error(`${id} is not there`);
    if (extension.isActive) throw new Error(`${id} is active already`);
    const begun = performance.now();
    await extension.activate();
    times[id] = performance.now() - begun;
  }
  console.log(`bench ${JSON.stringify({ times, loaded: loadedBundles() })}`);
}

/** Waits until 20 timers in a row are on time: the startup work of the extension host is not measured. */
async function quiet(): Promise<void> {
  for (let calm = 0; calm < 20;) {
    const begun = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 50));
    calm = performance.now() - begun < 55 ? calm + 1 : 0;
  }
}
