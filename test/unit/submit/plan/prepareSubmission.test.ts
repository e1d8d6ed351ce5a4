import { inEnglish } from "../../../../src/base/message.ts";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseSubmission } from "../../../../src/spark/submit/plan/parsedSubmission.ts";
import { prepareSubmission } from "../../../../src/spark/submit/plan/prepareSubmission.ts";
import { resolveCommand } from "../../../../src/spark/submit/plan/resolveCommand.ts";
import {
  base,
  conf,
  envOf,
  errorsOf,
  findErrors,
  kindsOf,
  manifestOf,
  planOf,
  podOf,
  propertiesOf,
  submissionEnvironmentOf,
  withOptions,
  type Place,
} from "../prepared.ts";

const kube = (rest: string): string => `spark.kubernetes.${rest}`;
const uploading = conf(kube("file.upload.path=file:/up"));
const scratch = conf(kube("driver.volumes.emptyDir.s.mount.path=/m"));
const claim = conf(
  kube("driver.volumes.persistentVolumeClaim.c.mount.path=/m"),
  kube("driver.volumes.persistentVolumeClaim.c.options.claimName=OnDemand"),
  kube("driver.volumes.persistentVolumeClaim.c.options.storageClass=s"),
  kube("driver.volumes.persistentVolumeClaim.c.options.sizeLimit=1Gi"),
);

describe("conf layers", () => {
  const memoryIn = (tokens: readonly string[], place: Place = {}): string | undefined =>
    propertiesOf(planOf(tokens, place)).get("spark.driver.memory");
  const files = {
    "/cwd/p.properties": "spark.driver.memory=5g\nspark.a=P\n",
    "/conf/spark-defaults.conf": "spark.a=D\nspark.b=D\n",
    "/cwd/1.properties": "spark.x=1\n",
    "/cwd/2.properties": "spark.x=2\n",
  };
  const environment = { SPARK_DRIVER_MEMORY: "4g", SPARK_CONF_DIR: "/conf" };

  test("prefers an option to its conf key, except for driver memory, where the later one wins", () => {
    const executor = ["--executor-memory", "2g", ...conf("spark.executor.memory=3g")];
    assert.equal(propertiesOf(planOf(withOptions(...executor))).get("spark.executor.memory"), "2g");
    const [option, pair] = [["--driver-memory", "2g"], conf("spark.driver.memory=3g")];
    assert.equal(memoryIn(withOptions(...pair, ...option)), "2g");
    assert.equal(memoryIn(withOptions(...option, ...pair)), "3g");
  });

  test("prefers --conf to the properties file, and the file to the environment", () => {
    const file = ["--properties-file", "p.properties"];
    const place = { environment, files };
    assert.equal(memoryIn(withOptions(...conf("spark.driver.memory=3g"), ...file), place), "3g");
    assert.equal(memoryIn(withOptions(...file), place), "5g");
    assert.equal(memoryIn(withOptions(), place), "4g");
  });

  test("reads spark-defaults.conf with a properties file only on demand", () => {
    const place = { environment, files };
    const read = (...options: readonly string[]): readonly (string | undefined)[] => {
      const properties = propertiesOf(planOf(withOptions(...options), place));
      return [properties.get("spark.a"), properties.get("spark.b")];
    };
    assert.deepEqual(read(), ["D", "D"]);
    assert.deepEqual(read("--properties-file", "p.properties"), ["P", undefined]);
    const both = ["--properties-file", "p.properties", "--load-spark-defaults"];
    assert.deepEqual(read(...both), ["P", "D"]);
  });

  test("prefers the last extra file, and --conf to all files", () => {
    const extra = [
      "--extra-properties-file",
      "1.properties",
      "--extra-properties-file",
      "2.properties",
    ];
    const read = (...options: readonly string[]): string | undefined =>
      propertiesOf(planOf(withOptions(...options), { files })).get("spark.x");
    assert.equal(read(...extra), "2");
    assert.equal(read(...extra, ...conf("spark.x=c")), "c");
  });

  test("records the origin of each entry", () => {
    const plan = planOf(withOptions("--driver-memory", "2g", "--properties-file", "p.properties"), {
      files,
      environment: { SPARK_EXECUTOR_CORES: "3" },
    });
    assert.deepEqual(plan.conf.get("spark.driver.memory")?.origin, { kind: "argument", token: 12 });
    assert.deepEqual(plan.conf.get("spark.a")?.origin, { kind: "file", path: "/cwd/p.properties" });
    assert.deepEqual(plan.conf.get("spark.executor.cores")?.origin, {
      kind: "environment",
      name: "SPARK_EXECUTOR_CORES",
    });
  });

  test("takes what no option and no file sets from the environment", () => {
    const environment = {
      ...{ SPARK_DRIVER_MEMORY: "3g", SPARK_EXECUTOR_MEMORY: "5g", SPARK_EXECUTOR_CORES: "3" },
      ...{ MASTER: "k8s://https://h:6443", DEPLOY_MODE: "cluster" },
    };
    const tokens = withOptions();
    const without = tokens.filter(
      (_, at) =>
        !["--master", "--deploy-mode"].includes(tokens[at] ?? "") &&
        !["--master", "--deploy-mode"].includes(tokens[at - 1] ?? ""),
    );
    assert.equal(without.length, tokens.length - 4);
    const properties = propertiesOf(planOf(without, { environment }));
    for (const [key, value] of [
      ["spark.driver.memory", "3g"],
      ["spark.executor.memory", "5g"],
      ["spark.executor.cores", "3"],
      ["spark.submit.deployMode", "cluster"],
      ["spark.master", "k8s://https://h:6443"],
    ] as const) {
      assert.equal(properties.get(key), value, key);
    }
  });

  test("reads the older spellings of the Kerberos keys", () => {
    const older = conf("spark.yarn.principal=p@R", "spark.yarn.keytab=local:///k");
    const properties = propertiesOf(planOf(withOptions(...older)));
    assert.equal(properties.get("spark.kerberos.principal"), "p@R");
    assert.equal(properties.get("spark.kerberos.keytab"), "local:///k");
  });

  test("drops keys without the spark. prefix with a warning", () => {
    const plan = planOf(withOptions(...conf("my.key=1", " spark.a = 1 ")));
    assert.deepEqual(
      plan.warnings.map(({ code, key }) => [code, key]),
      [
        ["W-01", "my.key"],
        ["W-01", " spark.a "],
      ],
    );
    assert.equal(propertiesOf(plan).has("my.key"), false);
  });

  test("resolves references in the namespace and in the pod's name", () => {
    const plan = planOf(
      withOptions(
        ...conf(
          "spark.team=etl",
          kube("namespace=${spark.team}"),
          kube("driver.pod.name=${spark.team}-1"),
        ),
      ),
    );
    assert.equal(plan.identity.namespace, "etl");
    assert.equal(plan.identity.driverPodName, "etl-1");
  });

  test("sends a template of another kind unchanged with a warning", () => {
    const files = { "/cwd/t.yaml": "kind: Deployment\nspec: {}\n" };
    const plan = planOf(withOptions(...conf(kube("driver.podTemplateFile=t.yaml"))), { files });
    const pod = plan.writes.find(({ role }) => role === "driverPod");
    assert.equal(pod?.manifest.kind, "Deployment");
    assert.equal(pod.manifest.apiVersion, "v1");
    assert.ok(plan.warnings.some(({ code }) => code === "W-13"));
  });

  test("resolves references to other keys and to the environment", () => {
    const pairs = [
      "spark.my.registry=reg",
      kube("container.image=${spark.my.registry}/img:${env:TAG}"),
    ];
    const plan = planOf(withOptions(...conf(...pairs)), { environment: { TAG: "7" } });
    assert.equal(podOf(plan).container["image"], "reg/img:7");
    assert.equal(
      propertiesOf(plan).get(kube("container.image")),
      "${spark.my.registry}/img:${env:TAG}",
    );
  });

  test("reads plain assignments of spark-env.sh without running it", () => {
    const script = 'SPARK_DRIVER_MEMORY=3g\nexport A="x y"\nB=$(rm -rf /)\n. ./other.sh\n';
    const plan = planOf(withOptions(), {
      environment: { SPARK_CONF_DIR: "/conf" },
      files: { "/conf/spark-env.sh": script },
    });
    assert.equal(propertiesOf(plan).get("spark.driver.memory"), "3g");
    assert.ok(plan.warnings.some(({ code }) => code === "W-09"));
  });
});

describe("masters", () => {
  const masterOf = (master: string): string | undefined => {
    const tokens = withOptions().map((token) =>
      token === "k8s://https://h:6443" ? master : token,
    );
    const errors = errorsOf(tokens);
    return errors[0] ?? propertiesOf(planOf(tokens)).get("spark.master");
  };
  const rows: readonly (readonly [master: string, outcome: string])[] = [
    ["k8s://h:6443", "k8s://https://h:6443"],
    ["k8s://HTTP://h", "k8s://HTTP://h"],
    ["k8s://h/k8s/c1", "k8s://https://h/k8s/c1"],
    ["k8s://https://h/", "k8s://https://h/"],
    ["k8s://ftp://h", "E-21"],
    ["k8s:/h", "E-14"],
    ["k8s://", "E-14"],
    ["yarn", "E-14"],
    ["local[2]", "E-16"],
  ];
  for (const [master, outcome] of rows) {
    test(`"${master}" gives ${outcome}`, () => {
      assert.equal(masterOf(master), outcome);
    });
  }

  test("rejects a token over http at the token's origin", () => {
    const tokens = withOptions(...conf(kube("authenticate.submission.oauthToken=hunter2"))).map(
      (token) => (token === "k8s://https://h:6443" ? "k8s://http://h" : token),
    );
    const [error] = findErrors(tokens);
    assert.equal(error?.code, "E-67");
    assert.deepEqual(error.origin, { kind: "argument", token: base.length });
    assert.ok(!inEnglish(error.message).includes('T"'));
  });

  test("warns about an http master", () => {
    const tokens = withOptions().map((token) =>
      token === "k8s://https://h:6443" ? "k8s://http://h" : token,
    );
    assert.deepEqual(
      planOf(tokens).warnings.map(({ code }) => code),
      ["W-02"],
    );
  });
});

describe("errors", () => {
  const volume = (rest: string): string => kube(`driver.volumes.${rest}`);
  const rows: readonly (readonly [code: string, options: readonly string[], place?: Place])[] = [
    ["E-04", ["--conf", "spark.a"]],
    ["E-05", ["--remote", "sc://h"]],
    ["E-06", ["--properties-file", "nope"]],
    ["E-07", ["--driver-java-options", "-Xmx2g"]],
    ["E-07", conf("spark.driver.defaultJavaOptions=-Da -Xmx2g")],
    ["E-10", ["--executor-cores", "-1"]],
    ["E-10", ["--total-executor-cores", "0"]],
    ["E-11", ["--num-executors", "0"]],
    ["E-12", ["--proxy-user", "bob", "--principal", "p"]],
    ["E-18", ["--class", "org.apache.spark.sql.hive.thriftserver.SparkSQLCLIDriver"]],
    ["E-19", ["--class", "org.apache.spark.sql.hive.thriftserver.HiveThriftServer2"]],
    ["E-20", ["--class", "org.apache.spark.sql.connect.service.SparkConnectServer"]],
    ["E-22", ["--keytab", "nope", "--principal", "p"]],
    ["E-26", ["--files", "f1"], { files: { "/cwd/f1": "" } }],
    [
      "E-23",
      ["--files", "/cwd/f*#name", ...uploading],
      { files: { "/cwd/f1": "", "/cwd/f2": "" } },
    ],
    ["E-26b", ["--files", "nope", ...conf(kube("file.upload.path=file:/up"))]],
    ["E-27", conf("spark.driver.bindAddress=1.2.3.4")],
    ["E-28", conf("spark.driver.port=4040")],
    ["E-28", conf("spark.blockManager.port=7078")],
    ["E-30", conf(kube("driver.pod.featureSteps=com.example.Mine"))],
    ["E-31", conf(kube("driver.podTemplateFile=s3a://b/t.yaml"))],
    ["E-32", conf(kube("driver.podTemplateFile=nope.yaml"))],
    ["E-33", conf("spark.driver.resource.gpu.amount=2")],
    ["E-34", conf("spark.driver.resource.gpu.vendor=nvidia.com")],
    ["E-34", conf("spark.driver.resource.gpu.amount=x", "spark.driver.resource.gpu.vendor=v")],
    ["E-35", conf(kube("driver.label.spark-role=x"))],
    ["E-36", conf(kube("authenticate.driver.caCertFile=nope"))],
    ["E-37", conf(kube("driver.secretKeyRef.E=s"))],
    ["E-38", conf(kube("hadoop.configMapName=m")), { environment: { HADOOP_CONF_DIR: "/hc" } }],
    ["E-39b", conf("spark.kerberos.principal=p")],
    ["E-39c", conf(kube("kerberos.tokenSecret.itemKey=k"))],
    ["E-40", conf(volume("foo.a.mount.path=/d"))],
    ["E-40", conf(kube("executor.volumes.foo.a.mount.path=/d"))],
    ["E-41", conf(volume("nfs.a.mount.path=/d"), volume("nfs.a.options.path=/x"))],
    ["E-41", conf(volume("emptyDir.a.b.mount.path=/d"))],
    [
      "E-42",
      conf(
        volume("emptyDir.a.mount.path=/d"),
        volume("emptyDir.a.mount.subPath=x"),
        volume("emptyDir.a.mount.subPathExpr=y"),
      ),
    ],
    ["E-43", conf(volume("emptyDir.a.mount.path=/d"), volume("emptyDir.a.options.sizeLimit=512"))],
    ["E-44", conf(volume("emptyDir.a.mount.path=/d"), volume("emptyDir.b.mount.path=/d"))],
    ["E-50", conf("spark.driver.port=abc")],
    ["E-50", conf(kube("submission.waitAppCompletion=perhaps"))],
    ["E-50", conf(kube("submission.waitAppCompletion=true"), kube("report.interval=0"))],
    ["E-50", conf(kube("namespace="))],
    ["E-50", conf(kube("driver.request.cores="))],
    [
      "E-56",
      conf(
        kube("authenticate.submission.oauthToken=T"),
        kube("authenticate.submission.oauthTokenFile=t"),
      ),
    ],
    ["E-61", ["--packages", "a:b"]],
    ["E-69", ["--proxy-user", ""]],
    ["E-68", ["--master", "k8s://https://h:6443?x=1"]],
    ["E-68", ["--master", "k8s://https://h:6443#x"]],
    ["E-17", ["--class", "org.apache.spark.repl.Main"]],
    ["E-09", ["--driver-memory", "8796093022208m"]],
    ["E-22", ["--keytab", "", "--principal", "p"]],
    ["E-22", ["--keytab", "d", "--principal", "p"], { files: { "/cwd/d/f": "" } }],
    ["E-50", conf("spark.driver.port= 7078")],
    ["E-50", conf("spark.driver.memoryOverheadFactor=NaN")],
    ["E-50", conf(kube("driver.request.cores=Gi"))],
    ["E-50", [...claim, ...conf(kube("legacy.useReadWriteOnceAccessMode=abc"))]],
    ["E-50", [...scratch, ...conf(kube("driver.volumes.emptyDir.s.options.sizeLimit=Gi"))]],
    [
      "E-50",
      [
        ...scratch,
        ...conf(kube("driver.volumes.emptyDir.s.options.sizeLimit=99999999999999999999")),
      ],
    ],
    ["E-52", ["--files", "C:/f1", ...uploading]],
    ["E-52", ["--files", "mailto:x"]],
    ["E-52", ["--files", "/cwd/a:*"], { files: { "/cwd/a:b": "" } }],
    ["E-26b", ["--files", "/cwd/f?", ...uploading], { files: { "/cwd/f1": "" } }],
    [
      "E-62",
      conf(
        kube(
          "driver.pod.excludedFeatureSteps=org.apache.spark.deploy.k8s.features.BasicDriverFeatureStep",
        ),
      ),
    ],
  ];
  for (const [code, options, place] of rows) {
    test(`${options.join(" ").slice(-90)} gives ${code} at its origin`, () => {
      const tokens = withOptions(...options);
      const error = findErrors(tokens, place).find((each) => each.code === code);
      assert.ok(error);
      const { origin } = error;
      assert.equal(origin?.kind, "argument");
      assert.ok(origin.token >= base.length, `token ${origin.token}`);
    });
  }

  test("needs a krb5.conf or a way to the tokens if Hadoop uses Kerberos", () => {
    const site =
      "<property><name>hadoop.security.authentication</name> <value>kerberos</value></property>";
    const files = { "/hc/core-site.xml": site };
    const environment = { HADOOP_CONF_DIR: "/hc" };
    assert.deepEqual(errorsOf(withOptions(), { environment, files }), ["E-55"]);
    const plain = { "/hc/core-site.xml": site.replace("kerberos", "simple") };
    assert.deepEqual(errorsOf(withOptions(), { environment, files: plain }), []);
    const withKrb5 = { ...files, "/etc/krb5.conf": "" };
    const { warnings } = planOf(withOptions(), { environment, files: withKrb5 });
    assert.ok(warnings.some(({ code }) => code === "W-10"));
    const own = { ...environment, KRB5_CONFIG: "/my.conf" };
    assert.deepEqual(errorsOf(withOptions(), { environment: own, files: withKrb5 }), ["E-55"]);
    const secret = conf(
      kube("kerberos.tokenSecret.name=s"),
      kube("kerberos.tokenSecret.itemKey=k"),
    );
    assert.deepEqual(errorsOf(withOptions(...secret), { environment, files }), []);
  });

  test("requires cluster mode", () => {
    const tokens = withOptions().filter(
      (token) => token !== "--deploy-mode" && token !== "cluster",
    );
    assert.deepEqual(errorsOf(tokens), ["E-51"]);
    assert.deepEqual(errorsOf([...conf("spark.submit.deployMode=foo"), ...tokens]), ["E-15"]);
  });

  test("requires an image, a class and a resource", () => {
    const image = "spark.kubernetes.container.image=img:1";
    const without = (...gone: readonly string[]): readonly string[] =>
      withOptions().filter((token) => !gone.includes(token));
    assert.deepEqual(
      errorsOf([
        ...withOptions().map((token) =>
          token.replace(image, "spark.kubernetes.executor.container.image=e"),
        ),
      ]),
      ["E-25"],
    );
    assert.deepEqual(errorsOf(without("--class", "org.example.Main")), ["E-24"]);
    assert.deepEqual(errorsOf([...base]), ["E-08"]);
  });

  test("reports all problems at once, each at its origin", () => {
    const tokens = withOptions(...conf("spark.driver.port=x", kube("driver.label.spark-role=y")));
    const result = prepareSubmission(
      parseSubmission({ kind: "tokens", sparkVersion: "4.2.1", tokens }),
      submissionEnvironmentOf({}),
    );
    assert.ok(!result.ok);
    const errors = result.error.filter(({ severity }) => severity === "error");
    assert.deepEqual(
      [
        ...new Set(
          errors.map(({ code, key, origin }) => `${code} ${key ?? ""} ${JSON.stringify(origin)}`),
        ),
      ],
      [
        'E-50 spark.driver.port {"kind":"argument","token":12}',
        'E-35 spark.kubernetes.driver.label.spark-role {"kind":"argument","token":14}',
      ],
    );
  });

  test("rejects --kill together with --status at the second option", () => {
    const tokens = ["--master", "k8s://h", "--kill", "a:b", "--status", "a:c"];
    const result = resolveCommand(
      parseSubmission({ kind: "tokens", sparkVersion: "4.2.1", tokens }),
      submissionEnvironmentOf({}),
    );
    assert.ok(!result.ok);
    assert.deepEqual(
      result.error.map(({ code, origin }) => [code, origin]),
      [["E-13", { kind: "argument", token: 4 }]],
    );
  });

  test("rejects an unknown Spark version", () => {
    assert.deepEqual(errorsOf(withOptions(), { version: "9.9.9" }), ["E-59"]);
  });
});

describe("accepted although unusual", () => {
  test("accepts zero executors with dynamic allocation", () => {
    const tokens = withOptions(
      "--num-executors",
      "0",
      ...conf("spark.dynamicAllocation.enabled=TRUE"),
    );
    assert.deepEqual(errorsOf(tokens), []);
  });

  test("accepts two executor volumes at one path, which only the driver rejects", () => {
    const volume = (name: string): string =>
      kube(`executor.volumes.emptyDir.${name}.mount.path=/d`);
    assert.deepEqual(errorsOf(withOptions(...conf(volume("a"), volume("b")))), []);
  });

  test("accepts a hexadecimal factor and remote files", () => {
    assert.deepEqual(
      errorsOf(withOptions(...conf("spark.driver.memoryOverheadFactor=0x1p-2"))),
      [],
    );
    assert.deepEqual(errorsOf(withOptions("--files", "local:a,s3a://b/c,https:x")), []);
  });

  test("drops a driver host", () => {
    const plan = planOf(withOptions(...conf("spark.driver.host=h")));
    assert.match(propertiesOf(plan).get("spark.driver.host") ?? "", /-driver-svc\.default\.svc$/);
  });
});

describe("objects", () => {
  test("depend on the version", () => {
    const plain = (version: string): readonly string[] =>
      kindsOf(planOf(withOptions(), { version }));
    assert.deepEqual(plain("4.0.5"), ["Pod", "Service", "ConfigMap"]);
    assert.deepEqual(plain("4.2.1"), ["Pod", "Service", "NetworkPolicy", "ConfigMap"]);
  });

  test("are sorted by kind and name in Spark 3.3", () => {
    const tokens = withOptions(...conf(kube("authenticate.driver.oauthToken=T")));
    const place = {
      environment: { HADOOP_CONF_DIR: "/hc" },
      files: { "/hc/core-site.xml": "<x/>" },
    };
    const names = (version: string): readonly string[] =>
      planOf(tokens, { version, ...place }).writes.map(({ manifest }) =>
        manifest.metadata.name.replace(/[0-9a-f]{16}/, "*"),
      );
    assert.deepEqual(names("3.3.4").slice(1), [
      "spark-pi-*-kubernetes-credentials",
      "spark-pi-*-driver-svc",
      "spark-drv-*-conf-map",
      "spark-pi-*-hadoop-config",
    ]);
    assert.deepEqual(names("3.4.4").slice(1), [
      "spark-pi-*-kubernetes-credentials",
      "spark-pi-*-driver-svc",
      "spark-pi-*-hadoop-config",
      "spark-drv-*-conf-map",
    ]);
  });

  test("omit those of an excluded step", () => {
    const step = (name: string): string => `org.apache.spark.deploy.k8s.features.${name}`;
    const without = (name: string): ReturnType<typeof planOf> =>
      planOf(withOptions(...conf(kube(`driver.pod.excludedFeatureSteps=${step(name)}`))));
    assert.deepEqual(kindsOf(without("NetworkPolicyFeatureStep")), ["Pod", "Service", "ConfigMap"]);
    assert.equal(envOf(without("LocalDirsFeatureStep")).has("SPARK_LOCAL_DIRS"), false);
    assert.equal(podOf(without("DriverCommandFeatureStep")).container["args"], undefined);
  });

  test("keep generated names with a fixed pod name", () => {
    const plan = planOf(withOptions(...conf(kube("driver.pod.name=fixed"))));
    assert.equal(manifestOf(plan, "Pod").metadata.name, "fixed");
    assert.match(manifestOf(plan, "Service").metadata.name, /^spark-pi-.*-driver-svc$/);
    assert.equal(propertiesOf(plan).get(kube("driver.pod.name")), "fixed");
  });

  test("have no secret token in the ConfigMap", () => {
    const plan = planOf(withOptions(...conf(kube("authenticate.driver.oauthToken=hush"))));
    assert.equal(
      propertiesOf(plan).get(kube("authenticate.driver.oauthToken")),
      "<present_but_redacted>",
    );
    assert.equal(JSON.stringify(manifestOf(plan, "ConfigMap")).includes("hush"), false);
    assert.deepEqual(manifestOf(plan, "Secret")["data"], { "oauth-token": "aHVzaA==" });
  });

  test("upload files into separate folders and keep archive names after #", () => {
    const plan = planOf(
      withOptions(
        "--files",
        "f1,https://h/f2#x,f3#y",
        "--archives",
        "a.zip#dir",
        ...conf(kube("file.upload.path=file:/up")),
      ),
      { files: { "/cwd/f1": "1", "/cwd/f3": "3", "/cwd/a.zip": "z" } },
    );
    const [first, second, third] = plan.uploads.map(({ target }) => target);
    assert.deepEqual(
      plan.uploads.map(({ path }) => path),
      ["/cwd/f1", "/cwd/f3", "/cwd/a.zip"],
    );
    assert.equal(new Set(plan.uploads.map(({ target }) => target.split("/")[2])).size, 3);
    assert.equal(
      propertiesOf(plan).get("spark.files"),
      `${first ?? ""},${second ?? ""},https://h/f2#x`,
    );
    assert.equal(propertiesOf(plan).get("spark.archives"), `${third ?? ""}#dir`);
  });

  test("include files of the conf directory except those that Spark excludes", () => {
    const files = {
      "/conf/log4j2.properties": "a",
      "/conf/myspark.conf": "b",
      "/conf/sparkling.properties": "c",
      "/conf/x.template": "d",
      "/conf/k.jar": "e",
      "/conf/z.tgz": "f",
      "/conf/sub/inner.txt": "g",
      "/conf/latin1.txt": "\ufffd",
      "/conf/big.xml": "x".repeat(2_000_000),
    };
    const plan = planOf(withOptions(), { environment: { SPARK_CONF_DIR: "/conf" }, files });
    assert.deepEqual(Object.keys(manifestOf(plan, "ConfigMap")["data"] ?? {}).sort(), [
      "log4j2.properties",
      "myspark.conf",
      "spark.kubernetes.namespace",
      "spark.properties",
      "z.tgz",
    ]);
    assert.deepEqual(
      plan.warnings.map(({ code }) => code),
      ["W-04"],
    );
  });
});

describe("a structured request", () => {
  test("gives the same plan as its command line", () => {
    const place = submissionEnvironmentOf({});
    const request = prepareSubmission(
      parseSubmission({
        kind: "request",
        sparkVersion: "4.2.1",
        master: "https://h:6443",
        name: "Spark Pi",
        mainClass: "org.example.Main",
        resource: "local:///opt/a.jar",
        arguments: ["10"],
        image: "img:1",
        namespace: "team",
        serviceAccount: "spark",
        conf: { "spark.kubernetes.namespace": "other", "spark.a": "b" },
        waits: false,
      }),
      place,
    );
    assert.ok(request.ok);
    const tokens = withOptions(
      ...conf(
        kube("namespace=team"),
        kube("authenticate.driver.serviceAccountName=spark"),
        "spark.a=b",
      ),
    );
    assert.deepEqual(request.value.writes, planOf(tokens).writes);
  });

  test("gives the same plan for the same input", () => {
    assert.deepEqual(planOf(withOptions()), planOf(withOptions()));
  });
});

test("trims a list of the conf but not of an option", () => {
  const jars = "local:///a.jar, local:///b.jar";
  const plan = planOf(withOptions(...conf(`spark.jars=${jars}`)));
  assert.equal(
    propertiesOf(plan).get("spark.jars"),
    "local:///a.jar,local:///b.jar,local:///opt/a.jar",
  );
  assert.ok(errorsOf(withOptions("--jars", jars)).includes("E-52"));
});

test("trims a number of a typed key", () => {
  const plan = planOf(withOptions(...conf("spark.ui.port= 4041 ")));
  assert.match(JSON.stringify(manifestOf(plan, "Pod")), /"containerPort":4041/);
});

test("resolves a relative upload path against the working directory", () => {
  const options = ["--files", "/cwd/f", ...conf(kube("file.upload.path=up"))];
  const { uploads } = planOf(withOptions(...options), { files: { "/cwd/f": "" } });
  assert.match(uploads[0]?.target ?? "", /^\/cwd\/up\/spark-upload-[-0-9a-f]+\/f$/);
});

test("collapses repeated slashes in the master's path", () => {
  const plan = planOf(withOptions("--master", "k8s://https://h:6443//a//b"));
  assert.equal(plan.access.server, "https://h:6443/a/b");
});
