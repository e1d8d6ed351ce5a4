import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { rewriteMounted } from "../../../../src/sandbox/node/paths/rewriteProperties.ts";
import {
  rewriteHosts,
  rewritePaths,
  type PathMap,
} from "../../../../src/sandbox/node/paths/rewriteText.ts";

const map: PathMap = {
  root: "/box/pod/root",
  prefixes: ["/opt/spark", "/opt/spark/conf", "/data", "/tmp"],
  own: "/box",
};

const rows: readonly (readonly [string, string])[] = [
  ["/opt/spark", "/box/pod/root/opt/spark"],
  ["/opt/spark/jars/*", "/box/pod/root/opt/spark/jars/*"],
  ["/opt/spark/conf/spark.properties", "/box/pod/root/opt/spark/conf/spark.properties"],
  ["local:///opt/spark/a.jar", "local:///box/pod/root/opt/spark/a.jar"],
  ["local\\:///opt/spark/a.jar", "local\\:///box/pod/root/opt/spark/a.jar"],
  ["file:/opt/spark/a.jar", "file:/box/pod/root/opt/spark/a.jar"],
  ["a=/data,b=/data/x:/data/y", "a=/box/pod/root/data,b=/box/pod/root/data/x:/box/pod/root/data/y"],
  ["-Dx=/data -Dy='/data/z'", "-Dx=/box/pod/root/data -Dy='/box/pod/root/data/z'"],
  // Names that only begin or end like a mounted path stay unchanged.
  ["/opt/sparkling", "/opt/sparkling"],
  ["/data.txt /data-1 /database", "/data.txt /data-1 /database"],
  ["/mnt/data /srv/opt/spark", "/mnt/data /srv/opt/spark"],
  ["opt/spark", "opt/spark"],
  // Paths on other file systems stay unchanged.
  ["s3a://bucket/data/x", "s3a://bucket/data/x"],
  ["hdfs:///data/x", "hdfs:///data/x"],
  ["hdfs:/data/x", "hdfs:/data/x"],
  ["https://host/data", "https://host/data"],
  ["https://host:80/data", "https://host:80/data"],
  // A list of two paths, not a scheme.
  ["/gs:/data/x", "/gs:/box/pod/root/data/x"],
  // Paths of another container, such as those that a driver passes to executors.
  ["/box/pods/u/containers/c/0/root/data/x", "/box/pod/root/data/x"],
  ["/box/pods/u/containers/c/0/root/mine/x", "/box/pods/u/containers/c/0/root/mine/x"],
  // Paths that are already local stay unchanged.
  ["/box/other/root/data/x", "/box/other/root/data/x"],
  ["file:/box/other/tmp", "file:/box/other/tmp"],
];

test("rewrites container paths and nothing else", () => {
  for (const [text, expected] of rows) assert.equal(rewritePaths(text, map), expected);
});

test("keeps the sandbox's paths if a mount contains them", () => {
  const above: PathMap = { root: "/tmp/box/root", prefixes: ["/tmp"], own: "/tmp/box" };
  assert.equal(
    rewritePaths("/tmp/a /tmp/box/root/tmp/a", above),
    "/tmp/box/root/tmp/a /tmp/box/root/tmp/a",
  );
});

const name = fc.stringMatching(/^[a-z][a-z0-9_.-]{0,6}$/);
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join("/")}`);
const anyText = fc.oneof(
  fc.string(),
  fc
    .array(
      fc.oneof(
        path,
        name,
        fc.constantFrom(" ", ",", ":", "=", "//", "/", "local:", "s3a://", "\n", '"'),
      ),
    )
    .map((parts) => parts.join("")),
);
const anyMap = fc.record({
  root: path.map((one) => `/box${one}`),
  prefixes: fc.array(path, { maxLength: 4 }),
  own: fc.constant("/box"),
});

test("is idempotent", () => {
  fc.assert(
    fc.property(anyText, anyMap, (text, paths) => {
      const once = rewritePaths(text, paths);
      assert.equal(rewritePaths(once, paths), once);
    }),
  );
});

test("is reversible by removing the root", () => {
  fc.assert(
    fc.property(anyText, anyMap, (text, paths) => {
      fc.pre(!text.includes("/box"));
      assert.equal(rewritePaths(text, paths).replaceAll(paths.root, ""), text);
    }),
  );
});

test("finds paths equal to or below a prefix in any list", () => {
  fc.assert(
    fc.property(path, path, fc.constantFrom(",", ":", " ", ";", "="), (prefix, below, mark) => {
      fc.pre(!prefix.startsWith("/box") && !below.startsWith("/box"));
      const paths = { root: "/box/root", prefixes: [prefix], own: "/box" };
      const text = `x${mark}${prefix}${mark}${prefix}${below}`;
      assert.equal(
        rewritePaths(text, paths),
        `x${mark}/box/root${prefix}${mark}/box/root${prefix}${below}`,
      );
    }),
  );
});

test("replaces whole Service names by the pod's address", () => {
  const hosts = new Map([
    ["pi-svc.jobs.svc", "127.5.0.1"],
    ["kubernetes.default.svc", "127.0.0.1:4443"],
  ]);
  const cases: readonly (readonly [string, string])[] = [
    [
      "spark://CoarseGrainedScheduler@pi-svc.jobs.svc:7078",
      "spark://CoarseGrainedScheduler@127.5.0.1:7078",
    ],
    ["spark.driver.host=pi-svc.jobs.svc", "spark.driver.host=127.5.0.1"],
    ["pi-svc.jobs.svc.cluster.local", "127.5.0.1"],
    ["https://kubernetes.default.svc", "https://127.0.0.1:4443"],
    ["https://kubernetes.default.svc:443/api", "https://127.0.0.1:4443/api"],
    [
      "a.pi-svc.jobs.svc xpi-svc.jobs.svc pi-svc.jobs.svc.example.org",
      "a.pi-svc.jobs.svc xpi-svc.jobs.svc pi-svc.jobs.svc.example.org",
    ],
    ["other.jobs.svc", "other.jobs.svc"],
  ];
  for (const [text, expected] of cases) assert.equal(rewriteHosts(text, hosts), expected);
});

const mountedIn = { paths: map, hosts: new Map<string, string>(), address: "127.9.0.3" };

test("lets a Connect server of the pod's loopback listen on the pod's own address", () => {
  const key = "spark.connect.grpc.binding.address";
  const text = `${key}=127.0.0.1\n${key}=0.0.0.0\nspark.hadoop.fs.s3a.endpoint=http://127.0.0.1:9000`;
  assert.equal(
    rewriteMounted("spark.properties", text, mountedIn),
    text.replace("127.0.0.1", "127.9.0.3"),
  );
});

test("keeps container paths in the conf of executor pods", () => {
  const text = [
    "spark.kubernetes.executor.volumes.hostPath.d.mount.path=/data",
    "spark.kubernetes.executor.secrets.s=/data/secret",
    "spark.files=/data/a.txt",
  ].join("\n");
  assert.equal(
    rewriteMounted("spark.properties", text, mountedIn),
    text.replace("spark.files=/data", "spark.files=/box/pod/root/data"),
  );
  assert.equal(
    rewriteMounted("pod-spec-template.yml", "mountPath: /data", mountedIn),
    "mountPath: /data",
  );
});
