import assert from "node:assert/strict";
import { test } from "node:test";
import { convert } from "../../../src/spark/operator/convert.ts";
import { checkConversion, line, lossesOf, object, place } from "./conversions.ts";

const applicationWith = (...spec: readonly string[]): ReturnType<typeof object> =>
  object(`apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: { name: pi }
spec:
  type: Scala
  sparkVersion: 4.3.0
  mainApplicationFile: local:///a.jar
  ${spec.join("\n  ")}
`);

/** The options that all objects in these tests have in common. */
const head = "--deploy-mode cluster\n--name pi";

test("converts a command line into an object with fields for known keys", () => {
  const source = line(`
    --master k8s://https://h:6443
    --deploy-mode cluster
    --name pi
    --class org.example.Pi
    --jars local:///b.jar,s3a://x/c.jar
    --packages org.example:lib:1.0
    --driver-memory 2g
    --executor-cores 4
    --num-executors 3
    --proxy-user alice
    --conf spark.kubernetes.namespace=etl
    --conf spark.kubernetes.container.image=spark:4.3.0
    --conf spark.kubernetes.container.image.pullSecrets=one,two
    --conf spark.kubernetes.authenticate.driver.serviceAccountName=spark
    --conf spark.kubernetes.driver.label.team=etl
    --conf spark.kubernetes.driverEnv.MODE=test
    --conf spark.executorEnv.MODE=test
    --conf spark.kubernetes.executor.secrets.token=/etc/token
    --conf spark.kubernetes.driver.secretKeyRef.PASSWORD=db:password
    --conf spark.hadoop.fs.s3a.endpoint=http://minio
    --conf spark.kubernetes.node.selector.disk=ssd
    --conf spark.sql.shuffle.partitions=10
    local:///a.jar
    10
    --date`);
  const conversion = checkConversion(
    source,
    "kubeflow",
    `
    metadata:
      name: pi
      namespace: etl
    spec:
      type: Scala
      mode: cluster
      sparkVersion: "4.3.0"
      image: spark:4.3.0
      imagePullSecrets:
        - one
        - two
      mainClass: org.example.Pi
      mainApplicationFile: local:///a.jar
      arguments:
        - "10"
        - "--date"
      proxyUser: alice
      deps:
        jars:
          - local:///b.jar
          - s3a://x/c.jar
        packages:
          - org.example:lib:1.0
      sparkConf:
        spark.sql.shuffle.partitions: "10"
      hadoopConf:
        fs.s3a.endpoint: http://minio
      nodeSelector:
        disk: ssd
      driver:
        memory: "2g"
        serviceAccount: spark
        labels:
          team: etl
        envVars:
          MODE: test
        envSecretKeyRefs:
          PASSWORD:
            name: db
            key: password
      executor:
        instances: 3
        cores: 4
        envVars:
          MODE: test
        secrets:
          - name: token
            path: /etc/token
            secretType: Generic`,
  );
  assert.deepEqual(lossesOf(conversion), ["dropped spark.master"]);
});

test("writes the number of executors, because the operator's default differs from Spark's", () => {
  const source = line("--deploy-mode cluster\n--name pi\nlocal:///a.py");
  checkConversion(
    source,
    "kubeflow",
    `
    metadata:
      name: pi
    spec:
      type: Python
      mode: cluster
      sparkVersion: "4.3.0"
      mainApplicationFile: local:///a.py
      driver: {}
      executor:
        instances: 2`,
  );
  checkConversion(
    applicationWith("driver: {}", "executor: {}"),
    "line",
    `${head}\n--num-executors 1 local:///a.jar`,
  );
});

test("converts dynamic allocation without a number of executors", () => {
  const dynamic = `--deploy-mode cluster
    --name pi
    --conf spark.dynamicAllocation.enabled=true
    --conf spark.dynamicAllocation.maxExecutors=9
    --conf spark.dynamicAllocation.executorIdleTimeout=60s
    local:///a.R`;
  const expected = (version: string, tracking: string): string => `
    metadata:
      name: pi
    spec:
      type: R
      mode: cluster
      sparkVersion: "${version}"
      mainApplicationFile: local:///a.R
      sparkConf:
        spark.dynamicAllocation.executorIdleTimeout: "60s"
      dynamicAllocation:
        enabled: true
        maxExecutors: 9${tracking}
      driver: {}
      executor: {}`;
  checkConversion(line(dynamic, "4.3.0"), "kubeflow", expected("4.3.0", ""));
  // Spark 3.3 does not track shuffles by default, unlike the operator.
  const untracked = "\n        shuffleTrackingEnabled: false";
  checkConversion(line(dynamic, "3.3.4"), "kubeflow", expected("3.3.4", untracked));
});

test("keeps a key if the field's type cannot express its value", () => {
  checkConversion(
    line(`--deploy-mode cluster
      --name pi
      --driver-cores two
      --num-executors 07
      --conf spark.kubernetes.driver.secretKeyRef.A=nokey
      local:///a.jar`),
    "kubeflow",
    `
    metadata:
      name: pi
    spec:
      type: Scala
      mode: cluster
      sparkVersion: "4.3.0"
      mainApplicationFile: local:///a.jar
      sparkConf:
        spark.kubernetes.driver.secretKeyRef.A: nokey
        spark.driver.cores: two
        spark.executor.instances: "07"
      driver: {}
      executor: {}`,
  );
});

test("reports losses with their reasons", () => {
  const conversion = convert(
    line(`--deploy-mode cluster
      --name Spark\u0020Pi
      --master k8s://https://h
      --queue q
      --properties-file spark.conf
      --conf spark.kubernetes.context=dev
      --conf spark.kubernetes.authenticate.submission.oauthToken=x
      --conf spark.kubernetes.authenticate.driver.oauthToken=x
      --conf spark.kubernetes.authenticate.driver.caCertFile=/ca
      --conf spark.kubernetes.driver.podTemplateFile=driver.yaml
      --conf spark.kubernetes.submission.waitAppCompletion=true
      --conf spark.kerberos.keytab=/home/me/keytab
      --files local:///x,/home/me/y
      job.jar`),
    "kubeflow",
    place,
  );
  assert.deepEqual([...lossesOf(conversion)].sort(), [
    "byHand spark.files",
    "byHand the main application resource",
    "changed spark.app.name",
    "dropped --properties-file spark.conf",
    "dropped --queue",
    "dropped spark.kerberos.keytab",
    "dropped spark.kubernetes.authenticate.driver.caCertFile",
    "dropped spark.kubernetes.authenticate.driver.oauthToken",
    "dropped spark.kubernetes.authenticate.submission.oauthToken",
    "dropped spark.kubernetes.context",
    "dropped spark.kubernetes.driver.podTemplateFile",
    "dropped spark.kubernetes.submission.waitAppCompletion",
    "dropped spark.master",
  ]);
  assert.ok(conversion.form.kind === "kubeflow");
  assert.equal(conversion.form.manifest.metadata.name, "spark-pi");
  assert.equal(conversion.form.manifest.spec.sparkConf, undefined);
});

test("inlines readable properties files and pod templates", () => {
  const files = new Map([
    ["spark.conf", "spark.executor.cores 2\nspark.a from file\nspark.b from file\n"],
    ["more.conf", "spark.b from more\n"],
    ["driver.yaml", "apiVersion: v1\nkind: Pod\nspec: { containers: [{ name: mine, tty: true }] }"],
  ]);
  const conversion = checkConversion(
    line(`--deploy-mode cluster
      --name pi
      --properties-file spark.conf
      --extra-properties-file more.conf
      --conf spark.a=from line
      --conf spark.kubernetes.driver.podTemplateFile=driver.yaml
      local:///a.jar`),
    "kubeflow",
    `
    metadata:
      name: pi
    spec:
      type: Scala
      mode: cluster
      sparkVersion: "4.3.0"
      mainApplicationFile: local:///a.jar
      sparkConf:
        spark.a: from line
        spark.b: from more
      driver:
        template:
          spec:
            containers:
              - name: spark-kubernetes-driver
                tty: true
      executor:
        instances: 2
        cores: 2`,
    { readFile: (path) => files.get(path) },
  );
  assert.deepEqual(lossesOf(conversion), []);
});

test("converts an object into the operator's command line", () => {
  checkConversion(
    object(`apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata:
  name: pi
  namespace: etl
  labels: { team: etl, kueue.x-k8s.io/queue-name: q }
spec:
  type: Scala
  sparkVersion: 4.3.0
  mode: cluster
  image: spark:1
  imagePullPolicy: Always
  mainClass: A
  mainApplicationFile: local:///a.jar
  arguments: [x]
  proxyUser: alice
  sparkConf: { spark.driver.memory: 1g, spark.sql.a: b }
  hadoopConf: { fs.a: b }
  dynamicAllocation: { enabled: true, minExecutors: 1, shuffleTrackingTimeout: 60 }
  driver:
    memory: 2g
    envVars: { A: b }
    secrets: [{ name: gcp, path: /etc/gcp/, secretType: GCPServiceAccount }]
  executor: { image: spark:2, deleteOnTermination: false }
`),
    "line",
    `
    --master k8s://https://h
    --deploy-mode cluster
    --name pi
    --driver-memory 2g
    --class A
    --proxy-user alice
    --conf spark.kubernetes.container.image.pullPolicy=Always
    --conf spark.sql.a=b
    --conf spark.kubernetes.container.image=spark:1
    --conf spark.kubernetes.executor.container.image=spark:2
    --conf spark.kubernetes.executor.deleteOnTermination=false
    --conf spark.kubernetes.driver.label.team=etl
    --conf spark.kubernetes.executor.label.team=etl
    --conf spark.hadoop.fs.a=b
    --conf spark.kubernetes.driverEnv.A=b
    --conf spark.kubernetes.driver.secrets.gcp=/etc/gcp/
    --conf spark.kubernetes.driverEnv.GOOGLE_APPLICATION_CREDENTIALS=/etc/gcp/key.json
    --conf spark.dynamicAllocation.enabled=true
    --conf spark.dynamicAllocation.minExecutors=1
    --conf spark.dynamicAllocation.shuffleTracking.timeout=60
    --conf spark.kubernetes.namespace=etl local:///a.jar x`,
    { master: "https://h" },
  );
});

test("converts variables and volumes into conf entries where keys exist", () => {
  checkConversion(
    applicationWith(
      "volumes:",
      "  - { name: scratch, emptyDir: { medium: Memory, sizeLimit: 1Gi } }",
      "  - { name: claim, persistentVolumeClaim: { claimName: c } }",
      "  - { name: host, hostPath: { path: /h, type: Directory } }",
      "  - { name: unused, nfs: { server: s, path: /p } }",
      "driver:",
      "  env:",
      "    - { name: A, value: b }",
      "    - { name: P, valueFrom: { secretKeyRef: { name: db, key: password } } }",
      "  volumeMounts:",
      "    - { name: scratch, mountPath: /s }",
      "    - { name: claim, mountPath: /c, readOnly: true, subPath: x }",
      "    - { name: nowhere, mountPath: /n }",
      "  schedulerName: volcano",
      "  nodeSelector: { disk: ssd }",
      "executor: { instances: 1, volumeMounts: [{ name: host, mountPath: /h, readOnly: false }] }",
    ),
    "line",
    `
    ${head.replace("\n", "\n    ")}
    --num-executors 1
    --conf spark.kubernetes.driver.scheduler.name=volcano
    --conf spark.kubernetes.driver.node.selector.disk=ssd
    --conf spark.kubernetes.driverEnv.A=b
    --conf spark.kubernetes.driver.secretKeyRef.P=db:password
    --conf spark.kubernetes.driver.volumes.emptyDir.scratch.mount.path=/s
    --conf spark.kubernetes.driver.volumes.emptyDir.scratch.options.medium=Memory
    --conf spark.kubernetes.driver.volumes.emptyDir.scratch.options.sizeLimit=1Gi
    --conf spark.kubernetes.driver.volumes.persistentVolumeClaim.claim.mount.path=/c
    --conf spark.kubernetes.driver.volumes.persistentVolumeClaim.claim.mount.readOnly=true
    --conf spark.kubernetes.driver.volumes.persistentVolumeClaim.claim.mount.subPath=x
    --conf spark.kubernetes.driver.volumes.persistentVolumeClaim.claim.options.claimName=c
    --conf spark.kubernetes.executor.volumes.hostPath.host.mount.path=/h
    --conf spark.kubernetes.executor.volumes.hostPath.host.options.path=/h
    --conf spark.kubernetes.executor.volumes.hostPath.host.options.type=Directory local:///a.jar`,
  );
});

test("adds a pod template for fields without a key", () => {
  const conversion = checkConversion(
    applicationWith(
      "volumes: [{ name: conf, configMap: { name: c } }]",
      "driver:",
      "  env: [{ name: NODE, valueFrom: { fieldRef: { fieldPath: spec.nodeName } } }]",
      "  envFrom: [{ secretRef: { name: s } }]",
      "  volumeMounts: [{ name: conf, mountPath: /conf }]",
      "  configMaps: [{ name: a.b, path: /ab }]",
      "  tolerations: [{ operator: Exists }]",
      "  affinity: { podAffinity: {} }",
      "  securityContext: { runAsUser: 185 }",
      "  podSecurityContext: { fsGroup: 185 }",
      "  hostNetwork: true",
      "  gpu: { name: nvidia.com/gpu, quantity: 1 }",
      "  sidecars: [{ name: side, image: s }]",
      "  initContainers: [{ name: init, image: i }]",
      "  memoryLimit: 2g",
      "executor: { instances: 1 }",
    ),
    "line",
    `
    ${head.replace("\n", "\n    ")}
    --num-executors 1
    --conf spark.kubernetes.driver.podTemplateFile=driver-pod-template.yaml local:///a.jar`,
  );
  assert.deepEqual(lossesOf(conversion), ["dropped spec.driver.memoryLimit"]);
  const [file] = conversion.files;
  assert.equal(
    file?.text,
    `apiVersion: v1
kind: Pod
spec:
  containers:
    - name: spark-kubernetes-driver
      securityContext:
        runAsUser: 185
      envFrom:
        - secretRef:
            name: s
      resources:
        limits:
          nvidia.com/gpu: "1"
      env:
        - name: NODE
          valueFrom:
            fieldRef:
              fieldPath: spec.nodeName
      volumeMounts:
        - name: conf
          mountPath: /conf
        - name: a-b-vol
          mountPath: /ab
    - name: side
      image: s
  affinity:
    podAffinity: {}
  securityContext:
    fsGroup: 185
  initContainers:
    - name: init
      image: i
  tolerations:
    - operator: Exists
  hostNetwork: true
  dnsPolicy: ClusterFirstWithHostNet
  volumes:
    - name: conf
      configMap:
        name: c
    - name: a-b-vol
      configMap:
        name: a.b
`,
  );
});

test("reports a key with an equals sign as a loss", () => {
  const source = applicationWith(
    "driver: { secrets: [{ name: a=b, path: /etc/b, secretType: Generic }] }",
    "executor: { secrets: [{ name: c, path: /etc/c, secretType: Generic }] }",
  );
  for (const target of ["line", "profile"] as const) {
    const { form, losses } = convert(source, target, place);
    const [loss] = losses.filter(({ entry }) => entry === "spark.kubernetes.driver.secrets.a=b");
    assert.equal(loss?.kind, "dropped");
    const text = JSON.stringify(form);
    assert.ok(!text.includes("a=b") && text.includes("/etc/c"), text);
  }
});

test("reports fields that only the operator supports", () => {
  const conversion = convert(
    applicationWith(
      "restartPolicy: { type: OnFailure }",
      "timeToLiveSeconds: 60",
      "suspend: false",
      "batchScheduler: volcano",
      "sparkConfigMap: c",
      "hadoopConfigMap: h",
      "dynamicAllocation: { enabled: false, maxExecutors: 3 }",
      "driver: {}",
      "executor: {}",
    ),
    "line",
    place,
  );
  assert.deepEqual(lossesOf(conversion), [
    "dropped spec.batchScheduler",
    "dropped spec.sparkConfigMap",
    "dropped spec.timeToLiveSeconds",
    "dropped spec.restartPolicy",
    "dropped spec.hadoopConfigMap",
    "dropped spec.dynamicAllocation",
  ]);
});

test("converts a schedule into its application", () => {
  const source = object(`apiVersion: sparkoperator.k8s.io/v1beta2
kind: ScheduledSparkApplication
metadata: { name: pi }
spec:
  schedule: "0 3 * * *"
  template:
    type: Scala
    sparkVersion: 4.3.0
    mainApplicationFile: local:///a.jar
    driver: {}
    executor: {}
`);
  const conversion = checkConversion(source, "line", `${head}\n--num-executors 1 local:///a.jar`);
  assert.deepEqual(lossesOf(conversion), ["dropped spec.schedule"]);
});
