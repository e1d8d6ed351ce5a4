import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import type { ImagePython } from "../../../../src/spark/submit/packages/imagePython.ts";
import {
  installPlan,
  type InstallTool,
} from "../../../../src/spark/submit/packages/installPlan.ts";
import { missingPackages } from "../../../../src/spark/submit/packages/missingPackages.ts";
import type { PythonNeeds } from "../../../../src/spark/submit/packages/pythonNeeds.ts";
import { pythonPackages } from "../../../../src/storage/packages/pythonPackages.ts";
import { temporaryFolder } from "../temporaryFolder.ts";

const python: ImagePython = {
  version: "3.11.2",
  machine: "x86_64",
  libc: "glibc 2.36",
  environment: { python_version: "3.11" },
  installed: {},
};
const never = new AbortController().signal;

function workspace(t: TestContext, files: Readonly<Record<string, string>>): string {
  const root = join(temporaryFolder(t), "workspace");
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

/** Creates a program that replaces uv: it counts its runs, and runs `script`, which writes to the folder `$target`. */
function tool(
  folder: string,
  script: string,
): { readonly tool: InstallTool; readonly program: string } {
  const program = join(folder, "tool.sh");
  writeFileSync(
    program,
    `#!/bin/sh\necho run >> "${folder}/runs"\nwhile [ "$1" != --target ]; do shift; done\ntarget=$2\n${script}\n`,
  );
  chmodSync(program, 0o755);
  return { tool: "uv", program };
}

const installsSix = `mkdir -p "$target/six-1.17.0.dist-info" "$target/bin" "$target/pyspark"
echo "x = 1" > "$target/six.py"; echo native > "$target/six.so"; chmod 755 "$target/six.so"
echo run > "$target/bin/six"; echo no > "$target/pyspark/__init__.py"
printf 'six.py,sha256=x,6\\nsix.so,,7\\n' > "$target/six-1.17.0.dist-info/RECORD"`;

async function needsIn(root: string, program = "job.py"): Promise<PythonNeeds> {
  const store = pythonPackages({
    cacheFolder: join(root, "..", "cache"),
    tools: [],
    environment: {},
  });
  const needs = await store.needs(join(root, program), root);
  assert.ok(needs);
  return needs;
}
const planFor = (needs: PythonNeeds) => installPlan(needs, missingPackages(needs, python), python);

describe("the declared packages", () => {
  test("come from the nearest file, and a lock file wins", async (t) => {
    const root = workspace(t, {
      "requirements.txt": "numpy\n",
      "jobs/a/job.py": "",
      "jobs/uv.lock":
        '[[package]]\nname = "app"\nversion = "1"\nsource = { virtual = "." }\ndependencies = [{ name = "six" }]\n\n[[package]]\nname = "six"\nversion = "1.17.0"\nsource = { registry = "https://pypi.org/simple" }\n',
      "jobs/requirements.txt": "pandas\n",
    });
    const needs = await needsIn(root, "jobs/a/job.py");
    assert.equal(needs.path, join(root, "jobs/uv.lock"));
    assert.deepEqual(
      missingPackages(needs, python).map(({ needed }) => needed.name),
      ["six"],
    );
    assert.deepEqual(
      (await needsIn(root)).direct.map(({ name }) => name),
      ["numpy"],
    );
  });

  test("include other files of the workspace, but none outside", async (t) => {
    const root = workspace(t, {
      "requirements.txt": "-r more/base.txt\n-r ../secret.txt\n-r link.txt\n-c limits.txt\n",
      "more/base.txt": "six\n-r ../requirements.txt\n",
      "limits.txt": "six<2\n",
      "../secret.txt": "stolen\n",
    });
    symlinkSync(join(root, "..", "secret.txt"), join(root, "link.txt"));
    const needs = await needsIn(root);
    assert.deepEqual(
      needs.direct.map(({ name }) => name),
      ["six"],
    );
    assert.deepEqual(
      needs.constraints.map(({ specifier }) => specifier),
      ["<2"],
    );
    assert.equal(needs.unread.length, 2);
  });

  test("come from a folder above if the nearest file declares nothing", async (t) => {
    const root = workspace(t, {
      "requirements.txt": "numpy\n",
      "tool/pyproject.toml": "[tool.black]\n",
      "tool/job.py": "",
      "empty/environment.yml": "dependencies:\n  - python=3.11\n",
      "empty/job.py": "",
    });
    for (const program of ["tool/job.py", "empty/job.py"]) {
      assert.equal((await needsIn(root, program)).path, join(root, "requirements.txt"), program);
    }
  });

  test("of an environment.yml have packages of conda, of pip or of both", async (t) => {
    const rows = [
      ["  - pyarrow=15\n", ["pyarrow"], []],
      ["  - pip:\n      - six==1.17\n", [], ["six==1.17"]],
      ["  - pyarrow\n  - pip:\n      - six\n      - --pre\n", ["pyarrow"], ["six"]],
    ] as const;
    for (const [lines, conda, pip] of rows) {
      const root = workspace(t, { "environment.yml": `dependencies:\n${lines}`, "job.py": "" });
      const needs = await needsIn(root);
      assert.deepEqual(needs.conda, conda);
      assert.deepEqual(
        needs.direct.map(({ name, specifier }) => `${name}${specifier}`),
        pip,
      );
    }
  });

  test("of a poetry.lock are those of pyproject.toml, in the versions of the lock", async (t) => {
    const root = workspace(t, {
      "pyproject.toml": '[project]\nname = "app"\ndependencies = ["six >= 1"]\n',
      "poetry.lock": '[[package]]\nname = "six"\nversion = "1.17.0"\n\n[[package]]\nname = 7\n',
      "job.py": "",
    });
    const needs = await needsIn(root);
    assert.equal(needs.format, "poetry.lock");
    assert.deepEqual(
      needs.direct.map(({ name, specifier }) => `${name}${specifier}`),
      ["six"],
    );
    assert.deepEqual(
      needs.locked?.map(({ name, version }) => `${name} ${version}`),
      ["six 1.17.0"],
    );
    assert.deepEqual(needs.unread, ["[[package]]\nname = 7\n"]);
  });

  test("of a uv.lock with several projects are those of the project of pyproject.toml", async (t) => {
    const project = (name: string, needed: string): string =>
      `[[package]]\nname = "${name}"\nversion = "1"\nsource = { editable = "." }\ndependencies = [{ name = "${needed}", version = "2" }]\n\n`;
    const lock = project("first", "numpy") + project("app", "six");
    const directIn = async (
      files: Readonly<Record<string, string>>,
    ): Promise<readonly string[]> => {
      const root = workspace(t, { "uv.lock": lock, "job.py": "", ...files });
      return (await needsIn(root)).direct.map(({ name, specifier }) => `${name}${specifier}`);
    };
    assert.deepEqual(await directIn({ "pyproject.toml": '[project]\nname = "app"\n' }), ["six==2"]);
    assert.deepEqual(await directIn({}), ["numpy==2"]);
  });

  test("include at most 50 files, and the files of a constraints file are constraints", async (t) => {
    const many = Array.from({ length: 60 }, (_, at) => [`${at}.txt`, `p${at}\n`] as const);
    const root = workspace(t, {
      "requirements.txt": many.map(([name]) => `-r ${name}\n`).join(""),
      ...Object.fromEntries(many),
      "limits/requirements.txt": "-c one.txt\n--index-url https://packages.test/simple\n",
      "limits/one.txt": "-r two.txt\n",
      "limits/two.txt": "six<2\n",
      "limits/job.py": "",
    });
    assert.equal((await needsIn(root)).direct.length, 49);
    const limits = await needsIn(root, "limits/job.py");
    assert.deepEqual(limits.direct, []);
    assert.deepEqual(
      limits.constraints.map(({ name }) => name),
      ["six"],
    );
    assert.deepEqual(limits.options, ["--index-url https://packages.test/simple"]);
  });

  test("of a pyproject.toml without dependencies are empty", async (t) => {
    const root = workspace(t, { "pyproject.toml": "[tool.black]\n", "job.py": "" });
    const store = pythonPackages({ cacheFolder: root, tools: [], environment: {} });
    assert.equal(await store.needs(join(root, "job.py"), root), undefined);
    assert.equal(await store.needs("/elsewhere/job.py", root), undefined);
  });
});

describe("an archive of packages", () => {
  test("has the installed files without scripts and Spark's packages, and is built once", async (t) => {
    const root = workspace(t, { "requirements.txt": "six\n" });
    const folder = temporaryFolder(t);
    const cacheFolder = join(folder, "cache");
    const options = { cacheFolder, tools: [tool(folder, installsSix)], environment: process.env };
    const needs = await needsIn(root);
    const plan = planFor(needs);
    assert.equal(await pythonPackages(options).archived(plan, needs), undefined);
    const built = await pythonPackages(options).build(plan, needs, never);
    assert.ok(built.ok);
    assert.deepEqual(built.value.packages, [{ name: "six", version: "1.17.0", size: 13 }]);
    const listed = execFileSync("tar", ["-tvzf", join(cacheFolder, built.value.name)]).toString();
    assert.deepEqual(
      listed
        .trim()
        .split("\n")
        .map((line) => `${line.slice(0, 10)} ${line.split(" ").at(-1) ?? ""}`),
      ["-r--r--r-- six-1.17.0.dist-info/RECORD", "-r--r--r-- six.py", "-r-xr-xr-x six.so"],
    );
    // A later call, as from another window, finds the archive in the cache and does not run the tool again.
    const again = await pythonPackages(options).archived(plan, needs);
    assert.deepEqual(again, built.value);
    assert.equal(execFileSync("cat", [join(folder, "runs")]).toString(), "run\n");
    assert.deepEqual(
      readdirSync(cacheFolder).filter((name) => name.startsWith("unfinished")),
      [],
    );
  });

  test("is not built without a tool", async (t) => {
    const root = workspace(t, { "requirements.txt": "six\n" });
    const needs = await needsIn(root);
    const tools = [{ tool: "uv", program: "/no/such/uv" } as const];
    const store = pythonPackages({ cacheFolder: temporaryFolder(t), tools, environment: {} });
    const built = await store.build(planFor(needs), needs, never);
    assert.equal(built.ok ? "ok" : built.error.kind, "noTool");
  });

  test("reports the tool's own words, and keeps nothing", async (t) => {
    const root = workspace(t, { "requirements.txt": "six\n" });
    const folder = temporaryFolder(t);
    const failing = tool(folder, 'echo "error: six has no usable wheels" >&2; exit 1');
    const cacheFolder = join(folder, "cache");
    const store = pythonPackages({ cacheFolder, tools: [failing], environment: process.env });
    const needs = await needsIn(root);
    const built = await store.build(planFor(needs), needs, never);
    assert.deepEqual(built.ok ? undefined : built.error, {
      kind: "noWheel",
      detail: "error: six has no usable wheels",
    });
    assert.deepEqual(readdirSync(cacheFolder), []);
  });

  test("stops the tool when it is canceled", async (t) => {
    const root = workspace(t, { "requirements.txt": "six\n" });
    const folder = temporaryFolder(t);
    const slow = tool(folder, "exec sleep 60");
    const options = { cacheFolder: join(folder, "cache"), tools: [slow], environment: process.env };
    const controller = new AbortController();
    const needs = await needsIn(root);
    const building = pythonPackages(options).build(planFor(needs), needs, controller.signal);
    setTimeout(() => {
      controller.abort();
    }, 200);
    await assert.rejects(building, { name: "AbortError" });
    assert.deepEqual(readdirSync(join(folder, "cache")), []);
  });

  test("the words of a requirement are never run by a shell", async (t) => {
    const folder = temporaryFolder(t);
    const root = workspace(t, {
      "requirements.txt": `six==1 ; python_version > "3"\n$(touch ${folder}/hacked)\n`,
    });
    const needs = await needsIn(root);
    const options = {
      cacheFolder: join(folder, "cache"),
      tools: [tool(folder, installsSix)],
      environment: process.env,
    };
    await pythonPackages(options).build(planFor(needs), needs, never);
    assert.equal(existsSync(join(folder, "hacked")), false);
  });
});

describe("the facts of an image", () => {
  test("are stored per image and interpreter, and forgotten", async (t) => {
    const store = () => pythonPackages({ cacheFolder, tools: [], environment: {} });
    const cacheFolder = join(temporaryFolder(t), "cache");
    const question = { image: "img:1", python: "python3" };
    const known = { imageId: "img@sha256:1", python };
    assert.equal(await store().image(question), undefined);
    await store().keepImage(question, known);
    assert.deepEqual(await store().image(question), known);
    assert.equal(await store().image({ ...question, python: "/opt/python" }), undefined);
    await store().forgetImage(question);
    assert.equal(await store().image(question), undefined);
  });

  test("are bounded", async (t) => {
    const cacheFolder = join(temporaryFolder(t), "cache");
    const store = pythonPackages({ cacheFolder, tools: [], environment: {} });
    for (let index = 0; index <= 50; index += 1) {
      await store.keepImage({ image: `img:${index}`, python: "python3" }, { imageId: "", python });
    }
    assert.equal(await store.image({ image: "img:0", python: "python3" }), undefined);
    assert.ok(await store.image({ image: "img:50", python: "python3" }));
  });
});
