import { inEnglish } from "../../../../src/base/message.ts";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fieldAt, textAt } from "../../../../src/base/json.ts";
import type { SentFile } from "../../../../src/spark/submit/code/sentCode.ts";
import type { DebugTarget } from "../../../../src/spark/submit/debug/debugRequest.ts";
import { pathMappings } from "../../../../src/spark/submit/debug/pathMappings.ts";
import type { SubmissionPlan } from "../../../../src/spark/submit/plan/submissionPlan.ts";
import { base, conf, type Place, planOf, podOf, prepare, propertiesOf } from "../prepared.ts";

const jar = [...base, "local:///opt/a.jar"];
const python = [...base, "/cwd/jobs/etl.py", "7"];
const debuggerArchive = { version: "1.8.20", size: 3, base64: "YWJj" };

const file = (name: string, role: SentFile["role"]): SentFile => ({
  name,
  size: 8,
  isExecutable: false,
  role,
  content: { kind: "inline", base64: "cHJpbnQoMSk=" },
  members: [],
});
const code: Place["code"] = {
  choice: "automatic",
  sent: {
    leftOut: [],
    files: [
      file("etl.py", { kind: "requested", path: "/cwd/jobs/etl.py" }),
      file("extra.py", { kind: "requested", path: "/cwd/extra.py" }),
      {
        ...file("modules-1.zip", { kind: "modules" }),
        members: [{ name: "shop/tax.py", path: "/cwd/shop/tax.py", size: 5, reason: "etl.py" }],
      },
    ],
  },
};
const withCode: Place = { files: { "/cwd/jobs/etl.py": "print(1)" }, code };

const prepareDebugged = (tokens: readonly string[], target: DebugTarget, place: Place = {}) =>
  prepare(tokens, place, {
    debug: { target, python: debuggerArchive, stopOnEntry: false, waitSeconds: 600 },
  });

function debugged(tokens: readonly string[], target: DebugTarget, place?: Place): SubmissionPlan {
  const plan = prepareDebugged(tokens, target, place);
  if (!plan.ok) throw new Error(plan.error.map(({ message }) => inEnglish(message)).join("\n"));
  return plan.value;
}

/** Returns the properties that differ from those of the run without a debugger. */
function added(tokens: readonly string[], target: DebugTarget, place?: Place): object {
  const before = propertiesOf(planOf(tokens, place));
  return Object.fromEntries(
    [...propertiesOf(debugged(tokens, target, place))].filter(
      ([key, value]) => before.get(key) !== value && !/pod.name|submission|app.id/i.test(key),
    ),
  );
}

describe("a debugged Python driver", () => {
  test("starts through the wrapper, and keeps its main file and arguments", () => {
    assert.deepEqual(added(python, "driver", withCode), {
      "spark.pyspark.driver.python": "/opt/spark-k8s/code/python-debug",
    });
    const args = (plan: SubmissionPlan): unknown => podOf(plan).container["args"];
    assert.deepEqual(args(debugged(python, "driver", withCode)), args(planOf(python, withCode)));
  });

  test("receives the debugger and the executable wrapper beside its code", () => {
    const { code: sent } = debugged(python, "driver", withCode);
    assert.deepEqual(
      sent?.files.map(({ name, isExecutable }) => [name, isExecutable]),
      [
        ["etl.py", false],
        ["extra.py", false],
        ["modules-1.zip", false],
        ["spark-k8s-debugger.tar.gz", false],
        ["python-debug", true],
      ],
    );
  });

  test("of the image receives the debugger only", () => {
    const plan = debugged([...base, "local:///opt/etl.py"], "driver");
    assert.deepEqual(
      plan.code?.files.map(({ name }) => name),
      ["spark-k8s-debugger.tar.gz", "python-debug"],
    );
    assert.equal(plan.code.delivery.kind, "configMap");
  });

  test("runs the interpreter of the conf inside the wrapper", () => {
    const own = [...base, ...conf("spark.pyspark.python=./env/bin/python"), "local:///opt/e.py"];
    const plan = debugged(own, "driver");
    const { container } = podOf(plan);
    assert.match(
      JSON.stringify(container["env"]),
      /"PYSPARK_DRIVER_PYTHON","value":".\/env\/bin\/python"/,
    );
    assert.deepEqual(plan.warnings, []);
  });

  test("needs a debugger", () => {
    const debug = {
      target: "driver",
      python: undefined,
      stopOnEntry: false,
      waitSeconds: 600,
    } as const;
    const plan = prepare([...base, "local:///e.py"], {}, { debug });
    assert.deepEqual(!plan.ok && plan.error.map(({ code: found }) => found), ["E-75"]);
  });
});

describe("debugged Python functions", () => {
  test("run in one worker of one executor, which loads the debugger from an archive", () => {
    const properties = added(python, "executor", withCode);
    assert.deepEqual(properties, {
      "spark.archives": "file:/opt/spark-k8s/code/spark-k8s-debugger.tar.gz#spark-k8s-debugger",
      "spark.executorEnv.PYTHONPATH": "./spark-k8s-debugger",
      "spark.executorEnv.SPARK_K8S_DEBUG_WAIT_SECONDS": "600",
      "spark.python.daemon.module": "spark_k8s_debug",
      "spark.python.use.daemon": "true",
      "spark.python.worker.idleTimeoutSeconds": "0",
      "spark.python.worker.killOnIdleTimeout": "false",
      "spark.executor.instances": "1",
      "spark.executor.cores": "1",
      "spark.dynamicAllocation.enabled": "false",
      "spark.speculation": "false",
      "spark.sql.broadcastTimeout": "24h",
    });
  });

  test("extend the user's archives and path, and keep other values with a warning", () => {
    const own = conf(
      "spark.archives=local:///opt/env.tar.gz#env",
      "spark.executorEnv.PYTHONPATH=/opt/lib",
      "spark.executor.instances=3",
    );
    const plan = debugged([...base, ...own, "local:///opt/etl.py"], "executor");
    const properties = propertiesOf(plan);
    assert.match(properties.get("spark.archives") ?? "", /^local:\/\/\/opt\/env.tar.gz#env,file:/);
    assert.equal(properties.get("spark.executorEnv.PYTHONPATH"), "./spark-k8s-debugger:/opt/lib");
    assert.equal(properties.get("spark.executor.instances"), "3");
    assert.deepEqual(
      plan.warnings.map(({ code: found, key }) => [found, key]),
      [["W-15", "spark.executor.instances"]],
    );
  });

  test("are refused with a daemon module of the user", () => {
    const own = conf("spark.python.daemon.module=mine");
    const plan = prepareDebugged([...base, ...own, "local:///opt/etl.py"], "executor");
    assert.deepEqual(!plan.ok && plan.error.map(({ code: found, key }) => [found, key]), [
      ["E-73", "spark.python.daemon.module"],
    ]);
  });
});

describe("a debugged JVM", () => {
  const agent = "-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:5005";

  test("of the driver waits, with the user's own options before the agent", () => {
    const own = [...base, ...conf("spark.driver.extraJavaOptions=-Xss4m"), "local:///opt/a.jar"];
    assert.deepEqual(added(own, "driver"), {
      "spark.driver.extraJavaOptions": `-Xss4m ${agent}`,
      "spark.network.timeout": "24h",
      "spark.executor.heartbeat.maxFailures": "8640",
    });
    assert.equal(debugged(own, "driver").code, undefined);
  });

  test("of the driver has a watchdog in front of the submitter's spark-env.sh", () => {
    const script = "/cwd/conf/spark-env.sh";
    const place = {
      files: { [script]: "export A=1\n" },
      environment: { SPARK_CONF_DIR: "/cwd/conf" },
    };
    const textOf = (plan: SubmissionPlan): string | undefined =>
      plan.writes
        .map(({ manifest }) => textAt(fieldAt(manifest, "data"), "spark-env.sh"))
        .find((text) => text !== undefined);
    assert.equal(textOf(planOf(jar, place)), "export A=1\n");
    assert.equal(textOf(debugged(jar, "executor", place)), "export A=1\n");
    const text = textOf(debugged(jar, "driver", place)) ?? "";
    assert.match(text, /^# Ends the driver.*SECONDS \+ 600.*fi\nexport A=1\n$/s);
  });

  test("of an executor does not wait", () => {
    const options = propertiesOf(debugged(jar, "executor")).get("spark.executor.extraJavaOptions");
    assert.match(options ?? "", /suspend=n,quiet=y,address=127\.0\.0\.1:5005$/);
  });

  test("is refused with an agent of the user", () => {
    const own = conf("spark.driver.extraJavaOptions=-agentlib:jdwp=server=y,address=*:5006");
    const plan = prepareDebugged([...base, ...own, "local:///opt/a.jar"], "driver");
    assert.deepEqual(!plan.ok && plan.error.map(({ code: found }) => found), ["E-73"]);
  });
});

describe("path mappings", () => {
  const mapped = (target: DebugTarget) =>
    pathMappings(
      debugged([...base, "--py-files", "/cwd/extra.py", "/cwd/jobs/etl.py"], target, {
        ...withCode,
        files: { "/cwd/jobs/etl.py": "", "/cwd/extra.py": "" },
      }),
    ).map(({ localRoot, remoteRoot }) => `${localRoot} ${remoteRoot}`);

  test("of a driver lead to the mount first", () => {
    assert.deepEqual(mapped("driver"), [
      "/cwd/jobs/etl.py /opt/spark-k8s/code/etl.py",
      "/cwd/extra.py /opt/spark-k8s/code/extra.py",
      "/cwd/extra.py /opt/spark/work-dir/extra.py",
      "/cwd/shop/tax.py /opt/spark-k8s/code/modules-1.zip/shop/tax.py",
      "/cwd/shop/tax.py /opt/spark/work-dir/modules-1.zip/shop/tax.py",
    ]);
  });

  test("of an executor lead to its copies first, except for the main file", () => {
    assert.deepEqual(mapped("executor").slice(0, 2), [
      "/cwd/jobs/etl.py /opt/spark-k8s/code/etl.py",
      "/cwd/extra.py /opt/spark/work-dir/extra.py",
    ]);
  });
});
