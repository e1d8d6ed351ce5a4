import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inEnglish } from "../../../../src/base/message.ts";
import type { SparkMinor } from "../../../../src/spark/submit/conf/sparkVersion.ts";
import { versionTraits } from "../../../../src/spark/submit/conf/versionTraits.ts";
import {
  checkMountPaths,
  parseVolumes,
  type VolumeSource,
} from "../../../../src/spark/submit/driver/volumes.ts";
import type { SubmissionFinding } from "../../../../src/spark/submit/plan/submissionFinding.ts";

type Conf = Readonly<Record<string, string>>;
const prefix = "spark.kubernetes.driver.volumes.";

/** Returns the volumes of a conf with keys without the prefix. The origin of an entry is its position. */
const parsed = (conf: Conf, minor: SparkMinor = "4.3") =>
  parseVolumes(
    new Map(
      Object.entries(conf).map(([key, value], token) => [
        key.startsWith("spark.") ? key : `${prefix}${key}`,
        { value, origin: { kind: "argument", token } },
      ]),
    ),
    "driver",
    versionTraits[minor],
  );

const shown = ({ code, key, message, origin }: SubmissionFinding): string =>
  `${code} ${key?.replace(prefix, "") ?? ""} at ${origin?.kind === "argument" ? origin.token : "?"}: ${inEnglish(message)}`;

const findingsOf = (conf: Conf, minor?: SparkMinor): readonly string[] =>
  parsed(conf, minor).findings.map(shown);

const sourceOf = (conf: Conf, minor?: SparkMinor): VolumeSource | undefined => {
  const { value, findings } = parsed(conf, minor);
  assert.deepEqual(findings.map(shown), []);
  assert.equal(value.length, 1);
  return value[0]?.source;
};

describe("the volumes of a conf", () => {
  test("have a type, a name, a mount and an origin", () => {
    const conf = {
      "nfs.share.options.path": "/export",
      "nfs.share.options.server": "nfs.example.org",
      "nfs.share.mount.path": "/share",
      "nfs.share.mount.readOnly": "true",
      "nfs.share.mount.subPath": "daily",
      "emptyDir.tmp.mount.path": "/tmp",
      "spark.kubernetes.executor.volumes.emptyDir.other.mount.path": "/other",
      "spark.app.name": "etl",
    };
    assert.deepEqual(parsed(conf), {
      findings: [],
      value: [
        {
          ...{ name: "tmp", mountPath: "/tmp", readOnly: false, subPath: "", subPathExpr: "" },
          source: { type: "emptyDir", medium: "", sizeLimit: undefined },
          origin: { kind: "argument", token: 5 },
          mountKey: `${prefix}emptyDir.tmp.mount.path`,
        },
        {
          ...{ name: "share", mountPath: "/share", readOnly: true, subPath: "daily" },
          subPathExpr: "",
          source: { type: "nfs", path: "/export", server: "nfs.example.org" },
          origin: { kind: "argument", token: 2 },
          mountKey: `${prefix}nfs.share.mount.path`,
        },
      ],
    });
  });

  test("of one name and two types are two volumes", () => {
    const { value } = parsed({ "emptyDir.a.mount.path": "/a", "hostPath.a.mount.path": "/b" });
    assert.deepEqual(
      value.map(({ source, mountPath }) => `${source.type} ${mountPath}`),
      ["emptyDir /a", "hostPath /b"],
    );
  });

  test("need a type that Spark knows, and a name", () => {
    const conf = { "csi.a.mount.path": "/a", "csi.a.mount.readOnly": "true", emptyDir: "x" };
    assert.deepEqual(parsed(conf).value, []);
    assert.deepEqual(findingsOf(conf), [
      'E-40 csi.a.mount.path at 0: Unknown volume type "csi". Use hostPath, persistentVolumeClaim, emptyDir or nfs.',
    ]);
  });

  test("report each missing key at another entry of the volume", () => {
    assert.deepEqual(findingsOf({ "spark.app.name": "etl", "nfs.a.mount.readOnly": "false" }), [
      'E-41 nfs.a.mount.path at 1: The volume needs "spark.kubernetes.driver.volumes.nfs.a.mount.path".',
      'E-41 nfs.a.options.path at 1: The volume needs "spark.kubernetes.driver.volumes.nfs.a.options.path".',
      'E-41 nfs.a.options.server at 1: The volume needs "spark.kubernetes.driver.volumes.nfs.a.options.server".',
    ]);
    const [volume] = parsed({ "nfs.ab.mount.path": "/ab", "nfs.a.mount.readOnly": "false" }).value;
    assert.deepEqual([volume?.name, volume?.mountPath], ["a", ""]);
    assert.deepEqual(volume?.origin, { kind: "argument", token: 1 });
  });

  test("are read-only by true or false in any case only", () => {
    const conf = (value: string) => ({
      "emptyDir.a.mount.path": "/a",
      "emptyDir.a.mount.readOnly": value,
    });
    const isReadOnly = (value: string) => parsed(conf(value)).value[0]?.readOnly;
    assert.deepEqual(["true", "TRUE", "false", "yes"].map(isReadOnly), [true, true, false, false]);
    for (const value of ["true", "false"]) assert.deepEqual(findingsOf(conf(value)), []);
    assert.deepEqual(findingsOf(conf("yes")), [
      'E-50 emptyDir.a.mount.readOnly at 1: "yes" is not true or false.',
    ]);
  });
});

describe("the source of a volume", () => {
  test("of a host path has the type of the path", () => {
    const conf = { "hostPath.a.mount.path": "/a", "hostPath.a.options.path": "/host" };
    assert.deepEqual(sourceOf(conf), { type: "hostPath", path: "/host", hostPathType: "" });
    const typed = { ...conf, "hostPath.a.options.type": "Directory" };
    const source = { type: "hostPath", path: "/host" };
    assert.deepEqual(sourceOf(typed), { ...source, hostPathType: "Directory" });
    assert.deepEqual(sourceOf(typed, "3.4"), { ...source, hostPathType: "" });
  });

  test("of an emptyDir has a medium and a size limit", () => {
    const conf = {
      "emptyDir.a.mount.path": "/a",
      "emptyDir.a.options.medium": "Memory",
      "emptyDir.a.options.sizeLimit": "10Gi",
    };
    assert.deepEqual(sourceOf(conf), { type: "emptyDir", medium: "Memory", sizeLimit: "10Gi" });
  });

  test("of a claim has a class, a size, labels and annotations", () => {
    const claim = "persistentVolumeClaim.a";
    const conf = {
      [`${claim}.mount.path`]: "/a",
      [`${claim}.options.claimName`]: "OnDemand",
      [`${claim}.options.storageClass`]: "fast",
      [`${claim}.options.sizeLimit`]: "5Gi",
      [`${claim}.label.team`]: "etl",
      [`${claim}.annotation.example.org/owner`]: "me",
      [`${claim}b.label.other`]: "x",
      [`${claim}b.mount.path`]: "/b",
      [`${claim}b.options.claimName`]: "c",
    };
    const source = { type: "persistentVolumeClaim", claimName: "OnDemand", storageClass: "fast" };
    assert.deepEqual(parsed(conf).value[0]?.source, {
      ...{ ...source, sizeLimit: "5Gi" },
      ...{ labels: { team: "etl" }, annotations: { "example.org/owner": "me" } },
    });
    const [first] = parsed(conf, "3.4").value;
    assert.deepEqual(first?.source, { ...source, sizeLimit: "5Gi", labels: {}, annotations: {} });
    assert.deepEqual(findingsOf({ [`${claim}.mount.path`]: "/a" }), [
      `E-41 ${claim}.options.claimName at 0: The volume needs "${prefix}${claim}.options.claimName".`,
    ]);
  });

  test("has a size with a unit", () => {
    const conf = (sizeLimit: string) => ({
      "emptyDir.a.mount.path": "/a",
      "emptyDir.a.options.sizeLimit": sizeLimit,
    });
    const at = "emptyDir.a.options.sizeLimit at 1";
    const noUnit = (size: string) =>
      `E-43 ${at}: The size "${size}" is below 1 KiB. Is its unit missing?`;
    const noSize = (size: string) => `E-50 ${at}: "${size}" is not a size such as 10Gi.`;
    for (const size of ["1Ki", "1k", "1024", "9223372036854775807", "1.5Gi"])
      assert.deepEqual(findingsOf(conf(size)), [], size);
    for (const size of ["0", "10", "1023"])
      assert.deepEqual(findingsOf(conf(size)), [noUnit(size)], size);
    for (const size of ["Gi", "", "1k2i", "9223372036854775808"])
      assert.deepEqual(findingsOf(conf(size)), [noSize(size)], size);
    assert.deepEqual(findingsOf(conf("10"), "3.4"), []);
    assert.deepEqual(findingsOf(conf("9223372036854775808"), "3.4"), []);
  });
});

describe("the subpath of a volume", () => {
  const conf = { "emptyDir.a.mount.path": "/a", "emptyDir.a.mount.subPathExpr": "$(POD)" };
  const both = { ...conf, "emptyDir.a.mount.subPath": "b" };

  test("may be an expression from Spark 4.0 on", () => {
    const of = (minor: SparkMinor) => parsed(conf, minor).value.map((one) => one.subPathExpr);
    assert.deepEqual((["3.3", "3.5", "4.0", "4.3"] as const).map(of), [
      [""],
      [""],
      ["$(POD)"],
      ["$(POD)"],
    ]);
    assert.deepEqual(findingsOf(conf), []);
  });

  test("is a text or an expression, not both", () => {
    assert.deepEqual(findingsOf(both), [
      "E-42 emptyDir.a.mount.subPathExpr at 1: Set either subPath or subPathExpr of a volume, not both.",
    ]);
    assert.deepEqual(findingsOf(both, "3.5"), []);
    assert.deepEqual(
      findingsOf({ "emptyDir.a.mount.path": "/", "emptyDir.a.mount.subPath": "b" }),
      [],
    );
  });
});

test("reports each further volume at the same path, compared as text", () => {
  const { value } = parsed({
    "emptyDir.a.mount.path": "/d",
    "emptyDir.b.mount.path": "/d",
    "emptyDir.c.mount.path": "/d/",
    "emptyDir.d.mount.path": "/d",
  });
  const finding = (name: string, token: number) =>
    `E-44 emptyDir.${name}.mount.path at ${token}: Two volumes are mounted at "/d".`;
  assert.deepEqual(checkMountPaths(value).map(shown), [finding("b", 1), finding("d", 3)]);
  assert.deepEqual(checkMountPaths(value.slice(1, 3)), []);
});
