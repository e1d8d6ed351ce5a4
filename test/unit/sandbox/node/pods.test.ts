// Pods with real processes. Expected messages are those of a real kubelet of Kubernetes 1.36.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fieldsOf, itemsOf, numberOf, textOf } from "../../../../src/base/json.ts";
import { NodeRig, shell } from "./nodeRig.ts";

describe("a pod on the node", () => {
  let rig: NodeRig;
  before(async () => {
    rig = await NodeRig.start();
  });
  after(async () => {
    await rig.stop();
    assert.deepEqual(rig.errors, []);
  });

  const state = (name: string, list?: string) => fieldsOf(rig.container(name, list)["state"]);
  const waiting = (name: string) => fieldsOf(state(name)["waiting"]);
  const terminated = (name: string, list?: string) => fieldsOf(state(name, list)["terminated"]);

  test("has the phase of its container's exit code", async () => {
    rig.run("three", shell("echo out; echo err >&2; exit 3"));
    rig.run("null", shell("true"));
    await rig.phase("three", "Failed");
    await rig.phase("null", "Succeeded");
    assert.equal(terminated("three")["exitCode"], 3);
    assert.equal(terminated("three")["reason"], "Error");
    assert.equal(terminated("null")["reason"], "Completed");
    assert.deepEqual((await rig.log("three")).split("\n").sort(), ["", "err", "out"]);
    const types = itemsOf(rig.status("null")["conditions"]).map(fieldsOf);
    assert.deepEqual(
      types.map(({ type, status, reason }) => [type, status, reason]),
      [
        ["PodReadyToStartContainers", "False", undefined],
        ["Initialized", "True", "PodCompleted"],
        ["Ready", "False", "PodCompleted"],
        ["ContainersReady", "False", "PodCompleted"],
        ["PodScheduled", "True", undefined],
      ],
    );
  });

  test("has a termination message", async () => {
    rig.run("says", shell("echo because > /dev/termination-log; exit 4"));
    rig.run(
      "logs",
      shell("echo last words; exit 5", { terminationMessagePolicy: "FallbackToLogsOnError" }),
    );
    await rig.phase("says", "Failed");
    await rig.phase("logs", "Failed");
    assert.equal(terminated("says")["message"], "because\n");
    assert.equal(terminated("logs")["message"], "last words\n");
  });

  test("fails to start a missing program", async () => {
    rig.run("absent", { command: ["/no/such/thing"] });
    await rig.phase("absent", "Failed");
    assert.equal(terminated("absent")["exitCode"], 128);
    assert.equal(terminated("absent")["reason"], "StartError");
    assert.match(
      textOf(terminated("absent")["message"]) ?? "",
      /exec: "\/no\/such\/thing": stat \/no\/such\/thing: no such file or directory/,
    );
  });

  test("sees its mounts by their paths in arguments, environment and files", async () => {
    rig.hold("configmaps", "conf", { "a.properties": "dir=/data/in\n", plain: "local:///data/x" });
    rig.hold("secrets", "keys", { password: "hunter2 /data" });
    rig.run(
      "mounts",
      shell(
        'cat /conf/a.properties /conf/plain; echo; cat /keys/password; echo; echo "$P"; echo hi > /data/in; cat "$P"; cat /down/labels; cat /link/passwd | head -1',
        {
          env: [{ name: "P", value: "/data/in" }],
          volumeMounts: [
            { name: "conf", mountPath: "/conf" },
            { name: "keys", mountPath: "/keys", readOnly: true },
            { name: "data", mountPath: "/data" },
            { name: "down", mountPath: "/down" },
            { name: "etc", mountPath: "/link" },
          ],
        },
      ),
      {
        volumes: [
          { name: "conf", configMap: { name: "conf" } },
          { name: "keys", secret: { secretName: "keys" } },
          { name: "data", emptyDir: {} },
          {
            name: "down",
            downwardAPI: {
              items: [{ path: "labels", fieldRef: { fieldPath: "metadata.labels" } }],
            },
          },
          { name: "etc", hostPath: { path: "/etc", type: "Directory" } },
        ],
      },
      { labels: { team: "etl" } },
    );
    await rig.phase("mounts", "Succeeded");
    const root = `${rig.folder}/pods/${rig.pod("mounts")?.metadata.uid ?? ""}/containers/main/0/root`;
    const [firstUser] = (await readFile("/etc/passwd", "utf8")).split("\n");
    assert.deepEqual((await rig.log("mounts")).split("\n").slice(0, 6), [
      `dir=${root}/data/in`,
      `local://${root}/data/x`,
      // The node rewrites paths in ConfigMaps, but not in Secrets.
      "hunter2 /data",
      `${root}/data/in`,
      "hi",
      `team="etl"${firstUser ?? ""}`,
    ]);
  });

  test("runs the files of a ConfigMap that their mode makes executable", async () => {
    rig.hold("configmaps", "programs", { run: "#!/bin/sh\necho ran\n", text: "plain" });
    rig.run(
      "programs",
      shell("/bin/programs/run; test -x /bin/programs/text || echo not executable", {
        volumeMounts: [{ name: "programs", mountPath: "/bin/programs" }],
      }),
      {
        volumes: [
          {
            name: "programs",
            configMap: {
              name: "programs",
              defaultMode: 0o444,
              items: [
                { key: "run", path: "run", mode: 0o555 },
                { key: "text", path: "text" },
              ],
            },
          },
        ],
      },
    );
    await rig.phase("programs", "Succeeded");
    assert.equal(await rig.log("programs"), "ran\nnot executable\n");
  });

  test("gets the environment of its spec", async () => {
    rig.hold("configmaps", "settings", { one: "1", two: "2" });
    rig.run(
      "env",
      shell("echo $NAME $IP $CPU $MEM $C_one $BOTH", {
        resources: { limits: { cpu: "1500m", memory: "64Mi" } },
        envFrom: [{ prefix: "C_", configMapRef: { name: "settings" } }],
        env: [
          { name: "NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
          { name: "IP", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } },
          { name: "CPU", valueFrom: { resourceFieldRef: { resource: "limits.cpu" } } },
          {
            name: "MEM",
            valueFrom: { resourceFieldRef: { resource: "limits.memory", divisor: "1Mi" } },
          },
          { name: "BOTH", value: "$(NAME)-$(C_two)-$$(NAME)-$(NOBODY)" },
        ],
      }),
    );
    await rig.phase("env", "Succeeded");
    const address = textOf(rig.status("env")["podIP"]) ?? "";
    assert.equal(await rig.log("env"), `env ${address} 2 64 1 env-2-$(NAME)-$(NOBODY)\n`);
  });

  test("waits for missing objects with a message", async () => {
    const env = [{ name: "A", valueFrom: { configMapKeyRef: { name: "nowhere", key: "a" } } }];
    rig.run("refers", shell("true", { env }));
    await rig.until(
      "the reason",
      () => waiting("refers")["reason"] === "CreateContainerConfigError",
    );
    assert.equal(waiting("refers")["message"], 'configmap "nowhere" not found');
    assert.ok(rig.events("refers").includes('Failed: Error: configmap "nowhere" not found'));
    rig.run(
      "mounts-late",
      shell("cat /conf/a", { volumeMounts: [{ name: "v", mountPath: "/conf" }] }),
      {
        volumes: [{ name: "v", configMap: { name: "late" } }],
      },
    );
    const failed =
      'FailedMount: MountVolume.SetUp failed for volume "v" : configmap "late" not found';
    await rig.until("an event", () => rig.events("mounts-late").includes(failed));
    rig.hold("configmaps", "late", { a: "there" });
    await rig.phase("mounts-late", "Succeeded");
    assert.equal(await rig.log("mounts-late"), "there");
  });

  test("waits for an unknown image with a message", async () => {
    rig.run("image", { image: "registry.example.org/team/etl:1" });
    await rig.until("a back-off", () => waiting("image")["reason"] === "ImagePullBackOff");
    assert.match(
      textOf(waiting("image")["message"]) ?? "",
      /^Back-off pulling image "registry\.example\.org\/team\/etl:1": ErrImagePull: the sandbox does not pull images\. .*Use a Spark image/,
    );
    rig.run("never", { image: "apache/spark:9.9.9", imagePullPolicy: "Never" });
    await rig.until("a refusal", () => waiting("never")["reason"] === "ErrImageNeverPull");
    rig.run("wrong", { image: "UPPER:::x" });
    await rig.until("a refusal", () => waiting("wrong")["reason"] === "InvalidImageName");
    for (const name of ["image", "never", "wrong"]) rig.delete(name, 0);
  });

  test("runs init containers in order, and its sidecar until the end", async () => {
    const shared = [{ name: "d", mountPath: "/d" }];
    const step = (name: string, line: string, more = {}) => ({
      name,
      image: "busybox",
      ...shell(line, { volumeMounts: shared, ...more }),
    });
    rig.run("steps", shell("cat /d/log; echo main >> /d/log", { volumeMounts: shared }), {
      volumes: [{ name: "d", emptyDir: {} }],
      initContainers: [
        step("one", "echo one >> /d/log"),
        step(
          "side",
          "echo side >> /d/log; trap 'echo bye; exit 0' TERM; while :; do sleep 0.1; done",
          { restartPolicy: "Always" },
        ),
        step("two", "while ! grep -q side /d/log; do sleep 0.05; done; echo two >> /d/log"),
      ],
    });
    await rig.phase("steps", "Succeeded");
    assert.equal(await rig.log("steps"), "one\nside\ntwo\n");
    assert.equal(await rig.log("steps", { container: "side" }), "bye\n");
    rig.run("fails", shell("true"), {
      initContainers: [step("bad", "exit 7", { volumeMounts: [] })],
    });
    await rig.phase("fails", "Failed");
    assert.equal(terminated("fails", "initContainerStatuses")["exitCode"], 7);
    assert.equal(waiting("fails")["reason"], "PodInitializing");
  });

  test("is restarted with back-off, and keeps the previous log", async () => {
    rig.run("crash", shell("echo try; exit 1"), { restartPolicy: "Always" });
    await rig.until("a back-off", () => waiting("crash")["reason"] === "CrashLoopBackOff");
    const uid = rig.pod("crash")?.metadata.uid ?? "";
    assert.equal(rig.container("crash")["restartCount"], 1);
    assert.equal(
      waiting("crash")["message"],
      `back-off 10s restarting failed container=main pod=crash_jobs(${uid})`,
    );
    assert.equal(rig.status("crash")["phase"], "Running");
    assert.equal(
      fieldsOf(fieldsOf(rig.container("crash")["lastState"])["terminated"])["exitCode"],
      1,
    );
    assert.equal(await rig.log("crash", { previous: true }), "try\n");
    rig.delete("crash", 0);
    await rig.until("it gone", () => rig.pod("crash") === undefined);
  });

  test("starts without the files of an earlier attempt with its number", async () => {
    const pod = rig.run("fresh", shell("ls; echo ."));
    const folder = join(rig.folder, "pods", pod.metadata.uid ?? "", "containers/main/0/work-dir");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "leftover"), "");
    await rig.phase("fresh", "Succeeded");
    assert.equal(await rig.log("fresh"), ".\n");
  });

  test("is killed after its grace period", async () => {
    rig.run("polite", shell("trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.05; done"));
    rig.run("deaf", shell("trap '' TERM; echo up; while :; do sleep 0.05; done"));
    await rig.says("polite", "up");
    await rig.says("deaf", "up");
    const ends: string[] = [];
    const heard = rig.objects.onDidChange(({ resource, kind, object }) => {
      if (resource !== "pods" || kind !== "deleted") return;
      const [container] = itemsOf(fieldsOf(object["status"])["containerStatuses"]).map(fieldsOf);
      const end = fieldsOf(fieldsOf(container?.["state"])["terminated"]);
      ends.push(`${object.metadata.name} ${numberOf(end["exitCode"]) ?? ""}`);
    });
    rig.delete("deaf", 1);
    rig.delete("polite", 30);
    await rig.until(
      "both gone",
      () => rig.pod("polite") === undefined && rig.pod("deaf") === undefined,
    );
    heard.dispose();
    assert.deepEqual(ends.sort(), ["deaf 137", "polite 0"]);
  });

  test("is kept by finalizers until they are removed", async () => {
    rig.run("final", shell("true"), {}, { finalizers: ["example.org/wait"] });
    await rig.phase("final", "Succeeded");
    rig.delete("final", 30);
    await rig.until("no grace", () => rig.pod("final")?.metadata.deletionGracePeriodSeconds === 0);
    const key = { resource: "pods", namespace: "jobs", name: "final" };
    rig.objects.update(key, (pod) => ({
      ...pod,
      metadata: { ...pod.metadata, finalizers: [] },
    }));
    await rig.until("it gone", () => rig.pod("final") === undefined);
  });

  test("runs its preStop hook before SIGTERM", async () => {
    const preStop = {
      exec: { command: ["/bin/sh", "-c", "echo $SPARK_SANDBOX_FIRST_PROCESS > /d/hook"] },
    };
    rig.run(
      "hook",
      shell("trap 'cat /d/hook; echo $$$$; exit 0' TERM; echo up; while :; do sleep 0.05; done", {
        lifecycle: { preStop },
        volumeMounts: [{ name: "d", mountPath: "/d" }],
      }),
      { volumes: [{ name: "d", emptyDir: {} }] },
    );
    await rig.says("hook", "up");
    const all = rig.log("hook", { follow: true });
    rig.delete("hook", 20);
    const [, told, own] = (await all).trim().split("\n");
    assert.equal(told, own);
  });

  test("is killed when it exceeds its memory limit", async () => {
    const program = "globalThis.held = Buffer.alloc(200 << 20, 1); setTimeout(() => {}, 60_000)";
    rig.run("greedy", {
      command: [process.execPath, "-e", program],
      resources: { limits: { memory: "128Mi" } },
    });
    await rig.phase("greedy", "Failed");
    assert.equal(terminated("greedy")["exitCode"], 137);
    assert.equal(terminated("greedy")["reason"], "OOMKilled");
  });

  test("is stopped after activeDeadlineSeconds", async () => {
    rig.run("long", shell("sleep 60"), {
      activeDeadlineSeconds: 1,
      terminationGracePeriodSeconds: 1,
    });
    await rig.phase("long", "Failed");
    assert.equal(rig.status("long")["reason"], "DeadlineExceeded");
  });

  test("is ready after its readiness probe, and restarted after a failed liveness probe", async () => {
    const file = (path: string) => ({ exec: { command: ["/bin/sh", "-c", `test -e ${path}`] } });
    rig.run(
      "probed",
      shell("sleep 0.5; touch /d/ready; sleep 2; rm -f /d/well; sleep 60", {
        volumeMounts: [{ name: "d", mountPath: "/d" }],
        readinessProbe: { ...file("/d/ready"), periodSeconds: 1 },
        livenessProbe: {
          ...file("/d/well"),
          periodSeconds: 1,
          initialDelaySeconds: 2,
          failureThreshold: 1,
        },
      }),
      { volumes: [{ name: "d", emptyDir: {} }], restartPolicy: "Always" },
    );
    await rig.phase("probed", "Running");
    assert.equal(rig.container("probed")["ready"], false);
    await rig.until("it ready", () => rig.container("probed")["ready"] === true);
    await rig.until("a restart", () => rig.container("probed")["restartCount"] === 1);
    assert.ok(
      rig
        .events("probed")
        .includes("Killing: Container main failed liveness probe, will be restarted"),
    );
    rig.delete("probed", 0);
  });

  test("kills all its processes, even those that left its session", async () => {
    // Seconds that identify the sleeps of this test in the process list.
    const seconds = String(1_000_000 + process.pid);
    const daemon = `require('child_process').spawn('sleep', ['${seconds}'], { detached: true, stdio: 'ignore' }).unref()`;
    const line = `sleep ${seconds} & '${process.execPath}' -e "${daemon}"; exit 0`;
    rig.run("family", shell(line));
    await rig.phase("family", "Succeeded");
    assert.deepEqual(await sleepers(seconds), []);
  });

  test("has terminals with the size of the client's", async () => {
    rig.run("window", shell("sleep 60"));
    await rig.phase("window", "Running");
    const pod = rig.pod("window");
    assert.ok(pod !== undefined);
    let out = "";
    let isShown = (): void => undefined;
    const shown = new Promise<void>((resolve) => (isShown = resolve));
    const ask = "until [ $(stty size | cut -d' ' -f1) -gt 0 ]; do sleep 0.05; done; stty size\n";
    const streams = {
      stdin: (async function* () {
        yield await Promise.resolve(Buffer.from(ask));
        await shown;
        yield Buffer.from("exit 5\n");
      })(),
      stdout: (chunk: Uint8Array) => {
        out += Buffer.from(chunk).toString();
        if (/\b31 97\r?\n/.test(out)) isShown();
      },
      stderr: () => undefined,
      sizes: (async function* () {
        yield await Promise.resolve({ rows: 31, columns: 97 });
      })(),
    };
    const command = { container: "main", command: ["/bin/sh"], tty: true };
    const end = await rig.node.exec(pod, command, streams, AbortSignal.timeout(20_000));
    assert.deepEqual(end, { kind: "exited", exitCode: 5 }, out);
    rig.delete("window", 0);
  });

  test("keeps the program of a terminal between two clients", async () => {
    rig.run(
      "shell",
      shell("read -r one; stty size; read -r two; exit 6", { stdin: true, tty: true }),
    );
    await rig.phase("shell", "Running");
    const pod = rig.pod("shell");
    assert.ok(pod !== undefined);
    const attach = async (input: string, seen: RegExp): Promise<unknown> => {
      const over = new AbortController();
      let out = "";
      const streams = {
        stdin: (async function* () {
          yield await Promise.resolve(Buffer.from(input));
        })(),
        stdout: (chunk: Uint8Array) => {
          out += Buffer.from(chunk).toString();
          if (seen.test(out)) over.abort();
        },
        stderr: () => undefined,
        sizes: (async function* () {
          // No sizes.
        })(),
      };
      const command = { container: "main", command: undefined, tty: true };
      const signal = AbortSignal.any([over.signal, AbortSignal.timeout(20_000)]);
      return rig.node.exec(pod, command, streams, signal);
    };
    await assert.rejects(attach("one\n", /\d+ \d+\r?\n/), { name: "AbortError" });
    assert.deepEqual(await attach("two\n", /never/), { kind: "exited", exitCode: 0 });
    await rig.phase("shell", "Failed");
    rig.delete("shell", 0);
  });

  test("does not run after a deletion during its start", async () => {
    const heard = rig.objects.onDidChange(({ resource, object }) => {
      if (resource === "events" && object["message"] === "Container created") {
        rig.delete("early", 0);
      }
    });
    rig.run("early", shell("sleep 3600"));
    await rig.until("it gone", () => rig.pod("early") === undefined);
    heard.dispose();
    assert.deepEqual(
      rig.events("early").filter((event) => event.startsWith("Started")),
      [],
    );
  });

  test("runs an exec command with its environment", async () => {
    rig.run("exec", shell("sleep 60", { env: [{ name: "COLOR", value: "red" }] }));
    await rig.phase("exec", "Running");
    const pod = rig.pod("exec");
    assert.ok(pod !== undefined);
    let out = "";
    const streams = {
      stdin: (async function* () {
        yield await Promise.resolve(Buffer.from("typed\n"));
      })(),
      stdout: (chunk: Uint8Array) => {
        out += Buffer.from(chunk).toString();
      },
      stderr: () => undefined,
      sizes: (async function* () {
        // No sizes.
      })(),
    };
    const command = {
      container: "main",
      command: ["/bin/sh", "-c", "cat; echo $COLOR; exit 4"],
      tty: false,
    };
    const end = await rig.node.exec(pod, command, streams, new AbortController().signal);
    assert.deepEqual(end, { kind: "exited", exitCode: 4 });
    assert.equal(out, "typed\nred\n");
    rig.delete("exec", 0);
  });
});

async function sleepers(seconds: string): Promise<readonly string[]> {
  if (process.platform !== "linux") return [];
  const pids = (await readdir("/proc")).filter((name) => /^[0-9]+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "latin1").catch(() => "")),
  );
  return lines.filter((line) => line === `sleep\0${seconds}\0`);
}
