// Debugging of a JVM on a real cluster, with the JDK's own debugger. Needs a JDK on the PATH.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { DebugRequest } from "../../src/spark/submit/debug/debugRequest.ts";
import { DebugRig } from "./debugRig.ts";
import { Jdb } from "./jdb.ts";
import { requireCluster } from "./requireCluster.ts";

// Has debug information about local variables, which the image's example programs lack.
const program = `public class Totals {
  public static void main(String[] args) {
    int net = 200;
    int gross = net + net / 10;
    System.exit(gross == 220 ? 7 : 1);
  }
}
`;

const examples = "local:///opt/spark/examples/jars/sparkdev-examples.jar";
const driver: DebugRequest = {
  target: "driver",
  python: undefined,
  stopOnEntry: false,
  waitSeconds: 600,
};

const { images, sharesLoopback } = requireCluster();
const concurrency = sharesLoopback ? 1 : 2;

for (const image of images) {
  // Run in parallel: each application mostly waits for the cluster and for a JVM to start.
  describe(`debugging a JVM of ${image}`, { timeout: 1_200_000, concurrency }, () => {
    let rig: DebugRig;
    let jar: string;

    before(async () => {
      rig = await DebugRig.start("jvm", image);
      jar = join(rig.folder, "totals.jar");
      await writeFile(join(rig.folder, "Totals.java"), program);
      const options = { cwd: rig.folder };
      execFileSync("javac", ["-g", "--release", "17", "Totals.java"], options);
      execFileSync("jar", ["--create", "--file", jar, "Totals.class"], options);
    });
    after(() => rig.stop());

    // The longest test comes first, because the others run in parallel with it.
    test("stops a task in an executor", async () => {
      // Runs short tasks for half a minute. The first one that starts after the debugger has attached stops.
      const words = ["--class", "SparkdevExamples", examples, "sleep", "2", "15"];
      const debug = { ...driver, target: "executor" } as const;
      const pod = await rig.submit(await rig.planOf({ image, words, debug }));
      const executor = await rig.runningExecutor(pod);
      const jdb = new Jdb(await rig.forward(executor, 5005, "jdwp"));
      await jdb.until(/Initializing jdb/);
      await jdb.command(
        "stop in SparkdevExamples.lambda$main$6bc7b5a3$1",
        /(?:Deferring|Set) breakpoint/,
      );
      const hit = await jdb.until(/Breakpoint hit:.*lambda\$main\$6bc7b5a3\$1/);
      assert.match(hit, /Executor task launch worker/);
      await jdb.command("clear SparkdevExamples.lambda$main$6bc7b5a3$1", /Removed/);
      await jdb.command("cont", />/);
      jdb.close();
      assert.equal(await rig.exitCodeOf(pod), 0);
    });

    test("stops a driver whose jar is sent, shows its variables, and keeps its exit code", async () => {
      const plan = await rig.planOf({ image, words: ["--class", "Totals", jar], debug: driver });
      const pod = await rig.submit(plan);
      const jdb = new Jdb(await rig.forward(pod, 5005, "jdwp"));
      await jdb.until(/main\[1\]/);
      await jdb.command("stop at Totals:5", /Deferring breakpoint/);
      await jdb.command("cont", /Breakpoint hit:.*Totals\.main\(\), line=5/);
      const locals = await jdb.command("locals", /gross = 220/);
      assert.match(locals, /net = 200/);
      await jdb.command("cont", /The application (?:exited|has been disconnected)/);
      jdb.close();
      assert.equal(await rig.exitCodeOf(pod), 7);
    });

    test("stops a driver of the image, which runs on when the debugger is lost", async () => {
      const words = ["--class", "SparkdevExamples", examples, "none"];
      const plan = await rig.planOf({ image, words, debug: { ...driver, waitSeconds: 15 } });
      const pod = await rig.submit(plan);
      const jdb = new Jdb(await rig.forward(pod, 5005, "jdwp"));
      await jdb.until(/main\[1\]/);
      await jdb.command("stop in SparkdevExamples.main", /Deferring breakpoint/);
      await jdb.command("cont", /Breakpoint hit:.*SparkdevExamples\.main\(\)/);
      // The prompt of the stopped thread, `main[1]`, may arrive late and precede the frame in the same line.
      await jdb.command("where", / \[1\] SparkdevExamples\.main \(/);
      jdb.close();
      // The limit of 15 s applies only to the wait for a debugger, so the driver ends with its own exit code.
      assert.equal(await rig.exitCodeOf(pod), 1);
      assert.match(await rig.logOf(pod), /IllegalArgumentException: none/);
    });

    test("ends a driver that no debugger attaches to", async () => {
      const words = ["--class", "Totals", jar];
      const debug = { ...driver, waitSeconds: 10 };
      const pod = await rig.submit(await rig.planOf({ image, words, debug }));
      assert.equal(await rig.exitCodeOf(pod), 124);
      assert.match(await rig.logOf(pod), /No debugger attached within 10 s\./);
    });
  });
}
