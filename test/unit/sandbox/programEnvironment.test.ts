import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import {
  programEnvironment,
  programOnPath,
} from "../../../src/sandbox/node/image/programEnvironment.ts";
import { findSpark } from "../../../src/sandbox/life/findSpark.ts";

test("keeps only absolute PATH entries outside the workspace, and removes Python's variables", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "spark-k8s-path-"));
  t.after(() => rm(folder, { recursive: true }));
  const [workspace, tools, linked] = ["workspace", "tools", "linked"].map((name) =>
    join(folder, name),
  );
  assert.ok(workspace !== undefined && tools !== undefined && linked !== undefined);
  await mkdir(join(workspace, "bin"), { recursive: true });
  await mkdir(tools);
  await symlink(join(workspace, "bin"), linked);
  const PATH = ["", ".", "bin", workspace, join(workspace, "bin"), linked, tools].join(delimiter);
  const environment = { PATH, PYTHONPATH: "x", PYTHONSTARTUP: "y", PIP_INDEX_URL: "z" };
  assert.deepEqual(programEnvironment(environment, [workspace]), {
    PIP_INDEX_URL: "z",
    PATH: tools,
  });
});

test("finds programs only through absolute PATH entries", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "spark-k8s-path-"));
  const before = process.cwd();
  t.after(async () => {
    process.chdir(before);
    await rm(folder, { recursive: true });
  });
  await writeFile(join(folder, "python3"), "#!/bin/sh\n", { mode: 0o755 });
  process.chdir(folder);
  assert.equal(programOnPath("python3", { PATH: ["", "."].join(delimiter) }), undefined);
  assert.equal(programOnPath("python3", { PATH: folder }), join(folder, "python3"));
});

test("runs no code from the working directory, PYTHONPATH or a relative PATH", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "spark-k8s-path-"));
  const before = process.cwd();
  t.after(async () => {
    process.chdir(before);
    await rm(folder, { recursive: true });
  });
  const marker = join(folder, "ran");
  await writeFile(join(folder, "sitecustomize.py"), `open(${JSON.stringify(marker)}, "w")\n`);
  await mkdir(join(folder, "pyspark"));
  await writeFile(join(folder, "pyspark", "__init__.py"), `open(${JSON.stringify(marker)}, "w")\n`);
  for (const name of ["python3", "java"]) {
    await writeFile(join(folder, name), `#!/bin/sh\ntouch '${marker}'\n`, { mode: 0o755 });
  }
  process.chdir(folder);
  const PATH = [".", process.env["PATH"]].join(delimiter);
  const here = await findSpark({ PATH, PYTHONPATH: folder }, join(folder, "downloads"));
  assert.equal(programOnPath("ran", { PATH: folder }), undefined);
  await assert.rejects(import("node:fs/promises").then(({ access }) => access(marker)));
  assert.ok(here.sparkVersions.every((version) => version !== ""));
});
