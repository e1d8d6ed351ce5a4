import assert from "node:assert/strict";
import { chmodSync, symlinkSync, truncateSync, utimesSync } from "node:fs";
import { describe, test } from "node:test";
import type { SentCode } from "../../../../src/spark/submit/code/sentCode.ts";
import { codeCollector } from "../../../../src/storage/code/codeCollector.ts";
import { memberNames, modulesOf, Workspace } from "./workspace.ts";

describe("code that is sent", () => {
  test("is the main file alone without imports from the workspace", async (t) => {
    const workspace = new Workspace(t, { "main.py": "import os, pandas\n", "other.py": "" });
    const { files, leftOut } = await workspace.collect();
    assert.deepEqual(files, [
      {
        name: "main.py",
        size: 18,
        isExecutable: false,
        role: { kind: "requested", path: workspace.at("main.py") },
        content: { kind: "inline", base64: Buffer.from("import os, pandas\n").toString("base64") },
        members: [],
      },
    ]);
    assert.deepEqual(leftOut, []);
  });

  test("has an archive with the modules that the main file imports", async (t) => {
    const workspace = new Workspace(t, {
      "main.py": "from etl import orders\n",
      "etl/__init__.py": "",
      "etl/orders.py": "from .clean import tidy\nimport etl.missing\n",
      "etl/clean.py": "from . import orders\n",
      "etl/unused.py": "",
    });
    const sent = await workspace.collect();
    const archive = modulesOf(sent);
    assert.match(archive?.name ?? "", /^modules-[0-9a-f]{12}\.zip$/);
    assert.deepEqual(
      archive?.members.map(({ name, reason }) => `${name} (${reason})`),
      ["etl/__init__.py (main.py)", "etl/clean.py (etl/orders.py)", "etl/orders.py (main.py)"],
    );
  });

  test("finds modules in the package folders of the project", async (t) => {
    const main = "import own, a, b, c, d, e, f, g\n";
    const workspace = new Workspace(t, {
      "team/pyproject.toml": `
        [tool.setuptools.packages.find]
        where = ["one"]
        [tool.setuptools]
        package-dir = { "" = "two" }
        [tool.poetry]
        packages = [{ include = "c", from = "three" }]
        [tool.hatch.build.targets.wheel]
        packages = ["four/d"]`,
      "team/setup.cfg": "[options]\npackage_dir =\n    = five\n",
      "team/jobs/main.py": main,
      "team/jobs/own.py": "",
      "team/one/a.py": "",
      "team/two/b.py": "",
      "team/three/c/__init__.py": "",
      "team/four/d/__init__.py": "",
      "team/five/e.py": "",
      "team/src/f.py": "",
      "g.py": "",
    });
    assert.deepEqual(memberNames(await workspace.collect({ main: "team/jobs/main.py" })), [
      ...["a.py", "b.py", "c/__init__.py", "d/__init__.py", "e.py", "f.py", "g.py", "own.py"],
    ]);
  });

  test("ignores package folders outside the workspace folder and invalid configuration", async (t) => {
    for (const text of [
      '[tool.setuptools.packages.find]\nwhere = ["..", "/"]',
      "= [",
      "a".repeat(300_000),
    ]) {
      const workspace = new Workspace(t, {
        "pyproject.toml": text,
        "main.py": "import a, b",
        "src/a.py": "",
        "src/c.py": "",
      });
      assert.deepEqual(memberNames(await workspace.collect()), ["a.py"]);
    }
  });

  test("takes names of Python and Spark only from the script's own folder", async (t) => {
    const workspace = new Workspace(t, {
      "jobs/main.py": "import json, pyspark.sql, logging.handlers, sys, time",
      "jobs/logging/__init__.py": "",
      "jobs/logging/handlers.py": "",
      "jobs/sys.py": "",
      "json.py": "",
      "time.py": "",
      "pyspark/sql.py": "",
    });
    assert.deepEqual(memberNames(await workspace.collect({ main: "jobs/main.py" })), [
      "logging/__init__.py",
      "logging/handlers.py",
    ]);
  });

  test("merges the folders of a package without __init__.py", async (t) => {
    const workspace = new Workspace(t, {
      "jobs/main.py": "from shared import a, b\nimport shared.deep.c",
      "jobs/shared/a.py": "",
      "shared/b.py": "from .deep import *",
      "shared/deep/__init__.py": "__all__ = ['d', 'name']",
      "shared/deep/c.py": "",
      "shared/deep/d.py": "",
      "shared/deep/e.py": "",
    });
    assert.deepEqual(memberNames(await workspace.collect({ main: "jobs/main.py" })), [
      ...["shared/a.py", "shared/b.py"],
      ...["shared/deep/__init__.py", "shared/deep/c.py", "shared/deep/d.py"],
    ]);
  });

  test("prefers a package to a module, and a module to a folder", async (t) => {
    const workspace = new Workspace(t, {
      "main.py": "import a.x, b.x, a.__main__",
      "a/__init__.py": "",
      "a/__main__.py": "",
      "a/x.py": "",
      "a.py": "",
      "b.py": "",
      "b/x.py": "",
    });
    assert.deepEqual(memberNames(await workspace.collect()), ["a/__init__.py", "a/x.py", "b.py"]);
  });

  test("follows the imports of requested Python files, and sends them once", async (t) => {
    const workspace = new Workspace(t, {
      "main.py": "import helper",
      "helper.py": "import deep",
      "deep.py": "import main",
    });
    const sent = await workspace.collect({ dependencies: ["helper.py"] });
    assert.deepEqual(memberNames(sent), ["deep.py", "main.py"]);
    assert.equal(sent.files.length, 3);
  });

  test("leaves out compiled modules and links that leave the workspace", async (t) => {
    const outside = new Workspace(t, { "far.py": "", "package/__init__.py": "" });
    const workspace = new Workspace(t, {
      "main.py": "import fast, far, package, near, loop",
      "fast.cpython-311-x86_64-linux-gnu.so": "",
      "real/near.py": "",
    });
    symlinkSync(outside.at("far.py"), workspace.at("far.py"));
    symlinkSync(outside.at("package"), workspace.at("package"));
    symlinkSync("real/near.py", workspace.at("near.py"));
    symlinkSync("loop.py", workspace.at("loop.py"));
    const sent = await workspace.collect();
    assert.deepEqual(memberNames(sent), ["near.py"]);
    assert.deepEqual(workspace.leftOut(sent), [
      "far.py: outside",
      "fast.cpython-311-x86_64-linux-gnu.so: native",
      "package: outside",
    ]);
  });

  test("does not look for modules if the main file is outside the workspace folder", async (t) => {
    const outside = new Workspace(t, { "main.py": "import a, b", "a.py": "" });
    const workspace = new Workspace(t, { "b.py": "" });
    const request = { main: outside.at("main.py"), isPython: true, dependencies: [] };
    const rules = { root: workspace.root, include: [], exclude: [] };
    const result = await codeCollector.collect(request, rules, new AbortController().signal);
    assert.ok(result.ok);
    assert.deepEqual(memberNames(result.value), ["b.py"]);
  });

  test("gives the same bytes for the same files", async (t) => {
    const tree = { "main.py": "import a, b.c", "a.py": "x = 1\n".repeat(100), "b/c.py": "" };
    const first = new Workspace(t, tree);
    const second = new Workspace(t, Object.fromEntries(Object.entries(tree).reverse()));
    utimesSync(second.at("a.py"), 1, 1);
    const archives = [modulesOf(await first.collect()), modulesOf(await second.collect())];
    assert.equal(archives[0]?.name, archives[1]?.name);
    assert.deepEqual(archives[0]?.content, archives[1]?.content);
    second.write({ "b/c.py": "y = 2" });
    assert.notEqual(modulesOf(await second.collect())?.name, archives[0]?.name);
  });
});

describe("included files", () => {
  const tree = {
    "main.py": "import app",
    "app/__init__.py": "",
    "app/text/words.json": "{}",
    "app/plugins/one.py": "import extra",
    "extra.py": "",
    "conf/dev.yaml": "",
    "conf/prod.yaml": "",
    "conf/deep/more.yaml": "",
    "notes.txt": "",
  };

  const dataNames = ({ files }: SentCode): readonly string[] =>
    files.filter(({ role }) => role.kind === "data").map(({ name }) => name);

  test("are the files that globs and folder names match", async (t) => {
    const workspace = new Workspace(t, tree);
    const included = async (...include: readonly string[]): Promise<readonly string[]> =>
      dataNames(await workspace.collect({ include }));
    assert.deepEqual(await included("conf"), ["dev.yaml", "more.yaml", "prod.yaml"]);
    assert.deepEqual(await included("conf/*.yaml"), ["dev.yaml", "prod.yaml"]);
    assert.deepEqual(await included("./conf/{dev,deep/more}.yaml"), ["dev.yaml", "more.yaml"]);
    assert.deepEqual(await included("**/?[eo]*.yaml"), ["dev.yaml", "more.yaml"]);
    assert.deepEqual(await included("*.txt", "nowhere/**"), ["notes.txt"]);
    assert.deepEqual(await included("../*", "/etc"), []);
  });

  test("join the modules if they are Python sources or belong to a package", async (t) => {
    const workspace = new Workspace(t, tree);
    const sent = await workspace.collect({ include: ["app/**"] });
    assert.deepEqual(dataNames(sent), ["words.json"]);
    assert.deepEqual(
      modulesOf(sent)?.members.map(({ name, reason }) => `${name} (${reason})`),
      [
        "app/__init__.py (main.py)",
        "app/plugins/one.py (app/**)",
        "app/text/words.json (app/**)",
        "extra.py (app/plugins/one.py)",
      ],
    );
  });

  test("have their names from the innermost source root that contains them", async (t) => {
    const workspace = new Workspace(t, {
      "team/pyproject.toml":
        '[tool.setuptools.packages.find]\nwhere = ["long/source/folder", "src"]',
      "team/jobs/main.py": "import a\n",
      "team/src/a.py": "",
      "team/src/plugins/b.py": "",
      "team/long/source/folder/c.py": "",
      "team/jobs/d.py": "",
    });
    const sent = await workspace.collect({
      main: "team/jobs/main.py",
      include: ["team/src/plugins/*.py", "team/long/source/folder/*.py", "team/jobs/d.py"],
    });
    assert.deepEqual(
      modulesOf(sent)?.members.map(({ name, reason }) => `${name} (${reason})`),
      [
        "a.py (team/jobs/main.py)",
        "c.py (team/long/source/folder/*.py)",
        "d.py (team/jobs/d.py)",
        "plugins/b.py (team/src/plugins/*.py)",
      ],
    );
  });

  test("keep their folders in archives, also two of one name", async (t) => {
    const workspace = new Workspace(t, {
      "main.py": "",
      "a/x.csv": "1",
      "a/in/x.csv": "2",
      "b/x.csv": "3",
      "x.csv": "4",
    });
    const sent = await workspace.collect({ include: ["**/*.csv"] });
    assert.deepEqual(dataNames(sent), ["x.csv"]);
    const archives = sent.files.filter(({ role }) => role.kind === "folder");
    assert.deepEqual(
      archives.map(({ role, members }) => [role, members.map(({ name }) => name)]),
      [
        [{ kind: "folder", folder: "a" }, ["x.csv", "in/x.csv"].sort()],
        [{ kind: "folder", folder: "b" }, ["x.csv"]],
      ],
    );
  });

  test("have no archive if those of a folder have more than 16 MiB together", async (t) => {
    const foldersWith = async (size: number): Promise<number> => {
      const workspace = new Workspace(t, { "main.py": "", "a/x.bin": "", "a/y.bin": "" });
      // Sparse files take no space on the disk.
      truncateSync(workspace.at("a/x.bin"), 8 * 2 ** 20);
      truncateSync(workspace.at("a/y.bin"), size);
      const { files } = await workspace.collect({ include: ["a/*.bin"] });
      assert.equal(files.filter(({ role }) => role.kind === "data").length, 2);
      return files.filter(({ role }) => role.kind === "folder").length;
    };
    assert.equal(await foldersWith(8 * 2 ** 20), 1);
    assert.equal(await foldersWith(8 * 2 ** 20 + 1), 0);
  });

  test("are also those that literals of the program and its modules name", async (t) => {
    const workspace = new Workspace(t, {
      ".gitignore": "data\n",
      "jobs/main.py":
        "import conf\nspark.read.parquet('./data/orders/')\nopen('local.txt')\nsql('select a.b from c')\nopen('/etc/passwd')\nopen('../out.txt')\n",
      "jobs/conf.py": "path = 'conf/app.json'\nsecret = 'conf/.env'\n",
      "jobs/local.txt": "",
      "data/orders/part-0.parquet": "",
      "data/other.csv": "",
      "conf/app.json": "{}",
      "conf/.env": "PASSWORD=1",
      "a.b": "",
      "out.txt": "",
    });
    const sent = await workspace.collect({ main: "jobs/main.py" });
    assert.deepEqual(dataNames(sent), ["app.json", "local.txt", "part-0.parquet"]);
    assert.deepEqual(
      sent.files.flatMap(({ role, members }) =>
        role.kind === "folder"
          ? members.map(({ name, reason }) => `${role.folder}/${name} (${reason})`)
          : [],
      ),
      ["conf/app.json (jobs/conf.py)", "data/orders/part-0.parquet (jobs/main.py)"],
    );
  });

  test("are also those that the arguments name", async (t) => {
    const workspace = new Workspace(t, { "app.jar": "PK", "data/a.csv": "", "data/b.csv": "" });
    const sent = await workspace.collect({
      main: "app.jar",
      isPython: false,
      named: ["data/a.csv", "data/missing.csv"],
    });
    assert.deepEqual(dataNames(sent), ["a.csv"]);
    assert.deepEqual(
      sent.files.flatMap(({ members }) => members.map(({ name, reason }) => [name, reason])),
      [["a.csv", "the arguments"]],
    );
  });

  test("are left out if a program names large ones", async (t) => {
    const workspace = new Workspace(t, {
      "main.py": "open('big.bin')",
      "big.bin": Buffer.alloc(17 * 1024 * 1024),
    });
    const sent = await workspace.collect();
    assert.deepEqual(dataNames(sent), []);
    assert.deepEqual(workspace.leftOut(sent), ["big.bin: large"]);
    assert.deepEqual(dataNames(await workspace.collect({ include: ["big.bin"] })), ["big.bin"]);
  });

  test("are all data files for an application that is not Python", async (t) => {
    const workspace = new Workspace(t, { ...tree, "app.jar": "PK" });
    const sent = await workspace.collect({
      main: "app.jar",
      isPython: false,
      include: ["{app,conf}/*"],
      exclude: ["conf/deep", "app/text", "app/plugins"],
    });
    assert.deepEqual(dataNames(sent), ["__init__.py", "dev.yaml", "prod.yaml"]);
    assert.deepEqual(workspace.leftOut(sent), [
      "app/plugins: excluded",
      "app/text: excluded",
      "conf/deep: excluded",
    ]);
  });

  test("are left out by .sparkignore, by .gitignore, by name and in folders of tools", async (t) => {
    const workspace = new Workspace(t, {
      "main.py": "import kept, dropped",
      "kept.py": "",
      "dropped.py": "",
      ".gitignore": "kept.py\n*.log\n!b.log\n/out/\n",
      ".sparkignore": "dropped.py\nprivate/\n",
      "a.log": "",
      "b.log": "",
      "out/x.csv": "",
      "sub/.gitignore": "b.log\n",
      "sub/b.log": "",
      "private/y.csv": "",
      ".env.local": "",
      "server.KEY": "",
      "mySecrets.yaml": "",
      "node_modules/z/index.js": "",
      "env/pyvenv.cfg": "",
      "__pycache__/kept.pyc": "",
    });
    const sent = await workspace.collect({ include: ["**"] });
    assert.deepEqual(memberNames(sent), ["kept.py"]);
    assert.deepEqual(dataNames(sent), ["b.log"]);
    assert.deepEqual(workspace.leftOut(sent), [
      ".env.local: secret",
      "a.log: gitIgnored",
      "dropped.py: ignored",
      "env: toolFolder",
      "mySecrets.yaml: secret",
      "node_modules: toolFolder",
      "out: gitIgnored",
      "private: ignored",
      "server.KEY: secret",
      "sub/b.log: gitIgnored",
    ]);
  });

  test("are sent although ignored by Git or secret if a pattern names them", async (t) => {
    const workspace = new Workspace(t, {
      "main.py": "",
      ".gitignore": "out\n",
      "out/x.csv": "",
      "out/y.csv": "",
      "secret.json": "",
      id_rsa: "",
    });
    const include = ["out/x.csv", "secret.json"];
    const sent = await workspace.collect({ include, dependencies: ["id_rsa"] });
    assert.deepEqual(dataNames(sent), ["secret.json", "x.csv"]);
    assert.deepEqual(sent.leftOut, []);
  });

  test("in linked folders are found once", async (t) => {
    const workspace = new Workspace(t, { "main.py": "", "a/b/c.txt": "" });
    symlinkSync("..", workspace.at("a/up"));
    symlinkSync("a/b", workspace.at("z"));
    assert.deepEqual(dataNames(await workspace.collect({ include: ["**/*.txt"] })), ["c.txt"]);
    assert.deepEqual(dataNames(await workspace.collect({ include: ["z"] })), ["c.txt"]);
  });
});

describe("contents", () => {
  test("stay on disk if they are too large for a ConfigMap, except the archive", async (t) => {
    const workspace = new Workspace(t, {
      "main.py": "import a",
      "a.py": "",
      "big.jar": Buffer.alloc(900_000),
    });
    chmodSync(workspace.at("main.py"), 0o755);
    const { files } = await workspace.collect({ dependencies: ["big.jar"] });
    assert.deepEqual(
      files.map(({ content, isExecutable, size }) => [content.kind, isExecutable, size > 0]),
      [
        ["disk", false, true],
        ["disk", true, true],
        ["inline", false, true],
      ],
    );
  });

  test("of at most 900,000 bytes are inline", async (t) => {
    const workspace = new Workspace(t, { "main.py": "", "big.jar": Buffer.alloc(900_000, 7) });
    const [big] = (await workspace.collect({ dependencies: ["big.jar"] })).files;
    const base64 = big?.content.kind === "inline" ? big.content.base64 : "";
    assert.deepEqual(Buffer.from(base64, "base64"), Buffer.alloc(900_000, 7));
  });
});

describe("code that cannot be sent", () => {
  test("has a file that is missing, a folder or not regular", async (t) => {
    const workspace = new Workspace(t, { "main.py": "", "folder/a.txt": "" });
    symlinkSync("loop", workspace.at("loop"));
    const failure = (name: string): Promise<string> => workspace.failure({ dependencies: [name] });
    assert.equal(await workspace.failure({ main: "x.py" }), "./x.py: it does not exist.");
    assert.equal(await failure("main.py/x"), "./main.py/x: it does not exist.");
    assert.equal(await failure("folder"), "./folder: it is a folder. List its files instead.");
    assert.equal(await failure("loop"), "./loop: it is a symbolic link in a loop.");
  });

  test("has two files with the same name", async (t) => {
    const workspace = new Workspace(t, { "main.py": "", "a/x.csv": "", "b/x.csv": "" });
    const expected =
      "./b/x.csv: ./a/x.csv has the same name, and Spark keeps only one of them. Rename one.";
    assert.equal(await workspace.failure({ dependencies: ["a/x.csv", "b/x.csv"] }), expected);
  });

  test("has a name that Spark's lists cannot hold", async (t) => {
    for (const char of [",", "#", "?", "%", " ", "*", "[", "\u0001", "\u0085"]) {
      const name = `a${char}b.txt`;
      const workspace = new Workspace(t, { "main.py": "", [name]: "" });
      assert.match(await workspace.failure({ dependencies: [name] }), /: its name contains /);
    }
    const workspace = new Workspace(t, { "main.py": "", ".sha256sums": "", "größe.csv": "" });
    assert.match(await workspace.failure({ dependencies: [".sha256sums"] }), /uses this name/);
    assert.equal((await workspace.collect({ include: ["größe.csv"] })).files.length, 2);
  });

  test("has too many modules or too many bytes in them", async (t) => {
    const names = Array.from({ length: 2_001 }, (_, index) => `m${index}`);
    const many = new Workspace(t, {
      "main.py": names.map((name) => `import many.${name}\n`).join(""),
      ...Object.fromEntries(names.map((name) => [`many/${name}.py`, ""])),
    });
    assert.match(await many.failure(), /main\.py: it needs more than 2000 modules, such as .*many/);
    const large = new Workspace(t, {
      "main.py": "import a, b, c",
      "a.py": Buffer.alloc(30 * 1024 * 1024, " "),
      "b.py": Buffer.alloc(40 * 1024 * 1024, " "),
      "c.py": "",
    });
    assert.match(
      await large.failure(),
      /main\.py: its modules are larger than 64\.0 MiB\..*\/b\.py \(40\.0 MiB\), .*\/a\.py \(30\.0 MiB\)/,
    );
  });

  test("rejects with an AbortError when it is canceled", async (t) => {
    const workspace = new Workspace(t, { "main.py": "import a", "a.py": "" });
    const request = { main: workspace.at("main.py"), isPython: true, dependencies: [] };
    const rules = { root: workspace.root, include: ["**"], exclude: [] };
    const collecting = new AbortController();
    const result = codeCollector.collect(request, rules, collecting.signal);
    collecting.abort();
    await assert.rejects(result, { name: "AbortError" });
  });
});
