// Tests driver pods with a shell: their spec, and the shell program in a real bash.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { fieldsOf } from "../../../../src/base/json.ts";
import { parseSubmission } from "../../../../src/spark/submit/plan/parsedSubmission.ts";
import { prepareSubmission } from "../../../../src/spark/submit/plan/prepareSubmission.ts";
import type { SubmissionPlan } from "../../../../src/spark/submit/plan/submissionPlan.ts";
import {
  decodeRunProfile,
  profileToSubmission,
} from "../../../../src/spark/submit/profile/runProfile.ts";
import {
  shellKindOf,
  shellKinds,
  type ShellKind,
} from "../../../../src/spark/submit/shell/shellKind.ts";
import { shellProfile } from "../../../../src/spark/submit/shell/shellProfile.ts";
import { idleVariable, shellArguments } from "../../../../src/spark/submit/shell/shellScript.ts";
import { kindsOf, podOf, propertiesOf, submissionEnvironmentOf } from "../prepared.ts";

const orders = {
  type: "spark",
  label: "orders",
  application: "orders.py",
  args: ["7"],
  image: "spark:4.3.0",
  namespace: "dev",
  serviceAccount: "spark",
  conf: { "spark.executor.instances": 2 },
};

function planOf(kind: ShellKind, version: string, isShell = true): SubmissionPlan {
  const settings = { kind, name: `orders ${kind}`, idleMinutes: 30 };
  const definition = shellProfile({ ...orders, image: `spark:${version}` }, settings);
  const { value: profile, findings } = decodeRunProfile(definition);
  assert.deepEqual(findings, []);
  const place = { master: "https://h", namespace: undefined, context: undefined, sparkVersion: "" };
  const shell = isShell ? profile.shell : undefined;
  const submission = parseSubmission(profileToSubmission(profile, place));
  const plan = prepareSubmission(submission, submissionEnvironmentOf({}), { shell });
  assert.ok(plan.ok, JSON.stringify(plan));
  return plan.value;
}

describe("a shell", () => {
  test("has the image, the target and the conf of its profile, but another program", () => {
    const { conf, ...rest } = shellProfile(orders, {
      kind: "pyspark",
      name: "orders pyspark",
      idleMinutes: 30,
    });
    assert.deepEqual(rest, {
      type: "spark",
      image: "spark:4.3.0",
      namespace: "dev",
      serviceAccount: "spark",
      application: "local:///opt/spark/python/pyspark/shell.py",
      shell: "pyspark",
      name: "orders pyspark",
    });
    assert.deepEqual(conf, {
      [`spark.kubernetes.driverEnv.${idleVariable}`]: "1800",
      "spark.executor.instances": 2,
      "spark.kubernetes.driver.label.spark-k8s/shell": "pyspark",
    });
  });

  test("keeps an idle time of the profile", () => {
    const key = `spark.kubernetes.driverEnv.${idleVariable}`;
    const base = { ...orders, conf: { [key]: "5" } };
    const { conf } = shellProfile(base, { kind: "pyspark", name: "a", idleMinutes: 30 });
    assert.equal(fieldsOf(conf)[key], "5");
  });

  for (const version of ["3.3.4", "3.4.4", "3.5.9", "4.0.1", "4.1.0", "4.2.0", "4.3.0"]) {
    for (const kind of shellKinds) {
      test(`${kind} of Spark ${version} differs from a submission in its container only`, () => {
        const [shell, plain] = [planOf(kind, version), planOf(kind, version, false)];
        const { args, stdin, tty, ...rest } = podOf(shell).container;
        const { args: submitted, ...others } = podOf(plain).container;
        assert.deepEqual(rest, others);
        assert.deepEqual([stdin, tty], [true, true]);
        assert.ok(Array.isArray(args) && Array.isArray(submitted));
        assert.equal(submitted[0], "driver");
        assert.deepEqual(args.slice(4), [
          kind,
          "/opt/spark/conf/spark.properties",
          "--name",
          `orders ${kind}`,
        ]);
        assert.deepEqual(kindsOf(shell), kindsOf(plain));
        assert.deepEqual(propertiesOf(shell), propertiesOf(plain));
        assert.equal(shell.shell, kind);
      });
    }
  }

  test("is told from other drivers by its label", () => {
    assert.equal(shellKindOf({ labels: { "spark-k8s/shell": "spark-sql" } }), "spark-sql");
    assert.equal(shellKindOf({ labels: { "spark-k8s/shell": "bash" } }), undefined);
    assert.equal(shellKindOf({ labels: {} }), undefined);
  });

  test("of a profile must be one of Spark's", () => {
    const { findings } = decodeRunProfile({ ...orders, shell: "bash" });
    assert.deepEqual(
      findings.map(({ code, suggestions }) => [code, suggestions]),
      [["E-87", shellKinds]],
    );
  });
});

describe("the program of a shell", () => {
  /** Creates a Spark distribution whose spark-submit prints its arguments and Python's start file. */
  async function sparkHome(t: TestContext): Promise<string> {
    const home = await mkdtemp(join(tmpdir(), "spark-home-"));
    t.after(() => rm(home, { recursive: true, force: true }));
    await mkdir(join(home, "bin"));
    await mkdir(join(home, "python", "pyspark"), { recursive: true });
    await writeFile(join(home, "python", "pyspark", "shell.py"), "");
    for (const name of ["spark-submit", "spark-shell"]) {
      const text = `#!/bin/sh\necho ${name} "$@"\necho "start=$PYTHONSTARTUP"\nsleep "\${PAUSE:-0}"\n`;
      await writeFile(join(home, "bin", name), text, { mode: 0o755 });
    }
    return home;
  }

  function run(
    kind: ShellKind,
    env: Readonly<Record<string, string>>,
    input: string,
  ): Promise<{ readonly code: number | null; readonly out: string }> {
    const [bash = "", ...args] = shellArguments(kind, "orders", ["--proxy-user", "ann"]);
    const child = spawn(bash, args, {
      // With a socket as input, bash would read the start file in its home directory.
      env: { PATH: process.env["PATH"], HOME: "/", SPARK_DRIVER_BIND_ADDRESS: "10.0.0.7", ...env },
      stdio: ["pipe", "pipe", "inherit"],
      detached: true,
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    return new Promise((resolve) => {
      child.once("close", (code) => {
        resolve({ code, out });
      });
    });
  }

  const options =
    "--deploy-mode client --properties-file /opt/spark/conf/spark.properties --name orders --proxy-user ann " +
    "--conf spark.driver.bindAddress=10.0.0.7 --conf spark.executorEnv.SPARK_DRIVER_POD_IP=10.0.0.7";
  const sqlClass = "org.apache.spark.sql.hive.thriftserver.SparkSQLCLIDriver";

  test("starts each shell in client mode when a terminal is attached", async (t) => {
    const home = await sparkHome(t);
    const started: readonly (readonly [ShellKind, string])[] = [
      ["pyspark", `spark-submit pyspark-shell-main ${options}`],
      ["spark-shell", `spark-shell ${options}`],
      ["spark-sql", `spark-submit --class ${sqlClass} ${options}`],
    ];
    for (const [kind, line] of started) {
      const { code, out } = await run(kind, { SPARK_HOME: home }, "\n");
      assert.deepEqual([out.split("\n")[0], code], [line, 0]);
    }
  });

  test("takes the start file of pyspark from its archive if the image has no other", async (t) => {
    const home = await sparkHome(t);
    await rm(join(home, "python", "pyspark"), { recursive: true });
    const failed = await run("pyspark", { SPARK_HOME: home }, "\n");
    assert.equal(failed.code, 42);
    await mkdir(join(home, "python", "lib"));
    const pack =
      "import sys, zipfile; zipfile.ZipFile(sys.argv[1], 'w').writestr('pyspark/shell.py', 'x = 1')";
    const zip = spawn("python3", ["-c", pack, join(home, "python", "lib", "pyspark.zip")]);
    await new Promise((resolve) => zip.once("close", resolve));
    const { code, out } = await run("pyspark", { SPARK_HOME: home }, "\n");
    assert.match(out, /start=\S+\/shell\.py/);
    assert.equal(code, 0);
  });

  test("says that the image has no Python, which pyspark needs", async (t) => {
    const env = { SPARK_HOME: await sparkHome(t), PYSPARK_PYTHON: "python-of-nobody" };
    const { code, out } = await run("pyspark", env, "\n");
    assert.equal(code, 41);
    assert.match(out, /The image has no Python \("python-of-nobody"\)/);
  });

  test("ends when no terminal is attached", async (t) => {
    const { code, out } = await run("spark-sql", { SPARK_HOME: await sparkHome(t) }, "");
    assert.equal(code, 1);
    assert.match(out, /No terminal was attached/);
  });

  test("ends a shell without input and output, with its children", async (t) => {
    const home = await sparkHome(t);
    const args = shellArguments("spark-sql", "orders", []).map(
      (word) => `'${word.replaceAll("'", "'\\''")}'`,
    );
    const env = { PATH: process.env["PATH"], SPARK_HOME: home, PAUSE: "600", [idleVariable]: "1" };
    const child = spawn("script", ["-qefc", args.join(" "), "/dev/null"], {
      env: { ...env, SPARK_DRIVER_BIND_ADDRESS: "10.0.0.7", SHELL: "/bin/sh" },
      stdio: ["pipe", "pipe", "inherit"],
    });
    child.stdin.write("\n");
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    const code = await new Promise((resolve) => child.once("close", resolve));
    assert.match(out, /The shell ends: no input and no output for 1 seconds/);
    assert.equal(code, 143);
  });
});
