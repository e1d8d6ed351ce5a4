// Pod specs are untrusted: no spec may make a pod write outside the sandbox's folder.
import assert from "node:assert/strict";
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import type { JsonMembers } from "../../../../src/sandbox/kubeObject.ts";
import {
  makeFolder,
  PathRefused,
  subFolder,
  writeContained,
} from "../../../../src/sandbox/node/volumes/containedFiles.ts";
import { fieldsOf, textOf } from "../../../../src/base/json.ts";
import { NodeRig, shell } from "./nodeRig.ts";

describe("a hostile pod", () => {
  let rig: NodeRig;
  /** A folder that pods must not change. */
  let outside: string;
  before(async () => {
    rig = await NodeRig.start();
    outside = await mkdtemp(join(tmpdir(), "spark-k8s-outside-"));
    await writeFile(join(outside, "kept"), "kept");
  });
  after(async () => {
    await rig.stop();
    assert.deepEqual(await readdir(outside), ["kept"]);
    assert.equal(await readFile(join(outside, "kept"), "utf8"), "kept");
    await rm(outside, { recursive: true });
    assert.deepEqual(rig.errors, []);
  });

  const upwards = (path: string): string => `${"../".repeat(20)}${path.slice(1)}`;
  const untilRefused = (name: string): Promise<string> =>
    rig.until("a refusal", () => {
      const waiting = fieldsOf(fieldsOf(rig.container(name)["state"])["waiting"]);
      const isRefused = waiting["reason"] === "CreateContainerConfigError";
      const failed = rig.events(name).find((line) => line.startsWith("FailedMount"));
      return isRefused ? (textOf(waiting["message"]) ?? "") : failed;
    });
  const withVolume = (
    name: string,
    source: JsonMembers,
    mount: JsonMembers,
    line = "true",
  ): void => {
    rig.run(name, shell(line, { volumeMounts: [{ name: "v", ...mount }] }), {
      volumes: [{ name: "v", ...source }],
    });
  };

  test("cannot mount above its root", async () => {
    rig.hold("configmaps", "evil", { kept: "changed", new: "new" });
    withVolume("above", { configMap: { name: "evil" } }, { mountPath: `/${upwards(outside)}` });
    await rig.phase("above", "Succeeded");
    withVolume("root", { configMap: { name: "evil" } }, { mountPath: "/../.." });
    assert.match(await untilRefused("root"), /a volume cannot be mounted at/);
  });

  test("cannot place a file of a volume outside the volume", async () => {
    const items = [{ key: "kept", path: upwards(join(outside, "kept")) }];
    withVolume("items", { configMap: { name: "evil", items } }, { mountPath: "/v" });
    assert.match(await untilRefused("items"), /is not a valid file name/);
    rig.hold("configmaps", "keys", { [upwards(join(outside, "kept"))]: "changed" });
    withVolume("keys", { configMap: { name: "keys" } }, { mountPath: "/v" });
    assert.match(await untilRefused("keys"), /is not a valid file name/);
    const path = upwards(join(outside, "token"));
    const sources = [{ serviceAccountToken: { path } }];
    withVolume("token", { projected: { sources } }, { mountPath: "/v" });
    assert.match(await untilRefused("token"), /is not a valid file name/);
  });

  test("cannot leave a volume by a subPath or a symbolic link", async () => {
    withVolume("subpath", { emptyDir: {} }, { mountPath: "/v", subPath: upwards(outside) });
    assert.match(await untilRefused("subpath"), /must be relative/);
    const step = {
      name: "step",
      image: "busybox",
      ...shell(`ln -s ${outside} /v/link`, { volumeMounts: [{ name: "v", mountPath: "/v" }] }),
    };
    for (const [name, subPath] of [
      ["link", "link"],
      ["below", "link/new"],
    ] as const) {
      rig.run(name, shell("true", { volumeMounts: [{ name: "v", mountPath: "/v", subPath }] }), {
        volumes: [{ name: "v", emptyDir: {} }],
        initContainers: [step],
      });
      assert.match(await untilRefused(name), /is outside its volume|is a symbolic link/);
    }
  });

  test("cannot create host folders", async () => {
    for (const type of ["DirectoryOrCreate", "FileOrCreate", ""]) {
      const name = `create-${type.toLowerCase()}x`;
      withVolume(name, { hostPath: { path: join(outside, "new"), type } }, { mountPath: "/v" });
      assert.match(await untilRefused(name), /creates nothing outside its own folder/);
    }
  });

  test("cannot have a path as its name", async () => {
    rig.run("volume", shell("true"), { volumes: [{ name: upwards(outside), emptyDir: {} }] });
    assert.match(await untilRefused("volume"), /is not a valid file name/);
    rig.run("container", shell("true", { name: upwards(join(outside, "new")) }));
    assert.match(await untilRefused("container"), /is not a valid file name/);
  });

  test("cannot place its working directory or termination message elsewhere", async () => {
    rig.run("work", shell("true", { workingDir: upwards(join(outside, "new")) }));
    await rig.phase("work", "Succeeded");
    const terminationMessagePath = upwards(join(outside, "kept"));
    rig.run("words", shell("true", { terminationMessagePath }));
    await rig.phase("words", "Succeeded");
  });

  test("starts with a huge environment, or reports the system's error", async () => {
    const value = "x".repeat(4 * 2 ** 20);
    rig.run("huge", shell("true", { env: [{ name: "HUGE", value }] }));
    await rig.phase("huge", "Failed");
    const end = fieldsOf(fieldsOf(rig.container("huge")["state"])["terminated"]);
    assert.equal(end["exitCode"], 128);
    assert.equal(end["reason"], "StartError");
  });
});

describe("contained writes", () => {
  let folder: string;
  let outside: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "spark-k8s-inside-"));
    outside = await mkdtemp(join(tmpdir(), "spark-k8s-outside-"));
  });
  after(async () => {
    await rm(folder, { recursive: true });
    await rm(outside, { recursive: true });
  });

  test("stay below the folder for any path and any symbolic links", async () => {
    const part = fc.constantFrom("a", "b", "..", ".", "", "link", "file", "...", "c d");
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), fc.boolean(), async (parts, isLink) => {
        const root = await mkdtemp(join(folder, "case-"));
        await mkdir(join(root, "a"));
        if (isLink) {
          await symlink(outside, join(root, "link"));
          await symlink(outside, join(root, "a", "b"));
          await symlink(join(outside, "made"), join(root, "file"));
        }
        const path = parts.join("/");
        const attempt = async (work: () => Promise<unknown>): Promise<void> => {
          try {
            await work();
          } catch (error) {
            const isKnown =
              error instanceof PathRefused || (error instanceof Error && "code" in error);
            if (!isKnown) throw error;
          }
        };
        await attempt(() => writeContained(root, path, Buffer.from("x")));
        await attempt(() => makeFolder(root, parts));
        await attempt(async () => {
          const found = await subFolder(root, path);
          assert.ok(found === root || found.startsWith(`${root}/`), found);
          assert.ok((await lstat(found)).isDirectory());
        });
        assert.deepEqual(await readdir(outside), []);
        assert.ok((await readdir(folder)).every((name) => name.startsWith("case-")));
      }),
      { numRuns: 200 },
    );
  });
});
