import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  foldersOfPyproject,
  foldersOfSetupCfg,
} from "../../../../src/spark/submit/code/projectFolders.ts";
import { fieldIn, maxCharacters, readToml } from "../../../../src/spark/submit/code/tomlText.ts";

describe("the package folders of a pyproject.toml", () => {
  const check = (text: string, ...folders: readonly string[]): void => {
    assert.deepEqual(foldersOfPyproject(text), folders, text);
  };

  test("are those of setuptools", () => {
    check('[tool.setuptools.packages.find]\nwhere = ["src", "lib", 5]', "src", "lib");
    check('[tool.setuptools.package-dir]\n"" = "src"', "src");
    check('[tool.setuptools.package-dir]\na = "lib/a"\n"b.c" = "x/b/c"', "lib", "x");
    check('[tool.setuptools.package-dir]\na = "a"\n"b.c" = "b/c"', ".", ".");
    check('[tool.setuptools.package-dir]\na = "other"\nb = "xb"\nc = 5');
  });

  test("are those of Poetry and Hatch", () => {
    check('[tool.poetry]\npackages = [{ include = "a", from = "src" }, { include = "b" }]', "src");
    check('[tool.hatch.build.targets.wheel]\npackages = ["src/a", "b"]', "src", ".");
    check('[tool.hatch.build]\nsources = ["src"]', "src");
    check('[tool.hatch.build.sources]\n"src" = ""\n"lib" = "other"', "src");
  });

  test("are none in another text", () => {
    check("");
    check("[tool");
    check('[tool.other]\nwhere = ["src"]');
    check("[tool]\nsetuptools = 5");
  });
});

describe("the package folders of a setup.cfg", () => {
  const check = (text: string, ...folders: readonly string[]): void => {
    assert.deepEqual(foldersOfSetupCfg(text), folders, text);
  };

  test("are those of its sections", () => {
    check("[options.packages.find]\nwhere = src\n", "src");
    check("[options.packages.find]\r\nwhere : src\r\n", "src");
    check("[options.packages.find_namespace]\nwhere=\n  a\n  # no\n\n  b\nother = c", "a", "b");
    check("[options]\npackage_dir =\n    = src\n    a = lib/a\n    b\n", "src", "lib");
    check("[options]\npackage-dir = =src", "src");
    check("[options]\npackage_dir = a=a", ".");
  });

  test("are none in other sections and keys", () => {
    check("[other]\nwhere = src");
    check("[options.packages.find]\nwhat = src\n  more\n");
    check("where = src");
    check("[options.packages.find]\nwhere\n[x]\nwhere = y");
    check("[options.packages.find]\nwhere = a\n[x]\n  b", "a");
    check("[options.packages.find]\n; where = a");
  });

  test("are none in a text of more than 256 Ki characters", () => {
    const text = "[options.packages.find]\nwhere = src\n";
    const atLimit = text.padEnd(262_144, "#");
    assert.deepEqual(foldersOfSetupCfg(atLimit), ["src"]);
    assert.deepEqual(foldersOfSetupCfg(`${atLimit}#`), []);
    assert.equal(maxCharacters, 262_144);
  });
});

test("a TOML text has at most 256 Ki characters, and fields of its own", () => {
  const text = "a = 1\n#";
  assert.equal(fieldIn(readToml(text.padEnd(262_144, "x")), "a"), 1);
  assert.equal(readToml(text.padEnd(262_145, "x")), undefined);
  assert.equal(readToml("a ="), undefined);
  assert.equal(fieldIn(readToml(text), "a"), 1);
  assert.equal(fieldIn(readToml(text), "toString"), undefined);
  assert.equal(fieldIn("a", "length"), undefined);
});
