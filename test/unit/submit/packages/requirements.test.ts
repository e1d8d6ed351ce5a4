import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readCondaEnvironment } from "../../../../src/spark/submit/packages/condaEnvironment.ts";
import { appliesIn } from "../../../../src/spark/submit/packages/marker.ts";
import { pep440Range, readProjectFile } from "../../../../src/spark/submit/packages/projectFile.ts";
import {
  parseRequirement,
  requirementText,
} from "../../../../src/spark/submit/packages/requirement.ts";
import { readRequirementsFile } from "../../../../src/spark/submit/packages/requirementsFile.ts";

const environment = {
  python_version: "3.11",
  python_full_version: "3.11.2",
  sys_platform: "linux",
  platform_machine: "x86_64",
  implementation_name: "cpython",
};

describe("a requirement", () => {
  test("normalizes its name and extras", () => {
    const read = parseRequirement('Foo.Bar_Baz [A_b, c] (>= 1.2, < 2) ; python_version > "3"');
    assert.ok(read);
    assert.deepEqual(read, {
      name: "foo-bar-baz",
      extras: ["a-b", "c"],
      specifier: ">=1.2,<2",
      marker: 'python_version > "3"',
      url: undefined,
      hashes: [],
    });
    assert.equal(requirementText(read), "foo-bar-baz[a-b,c]>=1.2,<2");
  });

  test("keeps a direct reference", () => {
    const read = parseRequirement('x @ https://h/x.whl ; sys_platform == "linux"');
    assert.equal(read?.url, "https://h/x.whl");
    assert.equal(read.marker, 'sys_platform == "linux"');
  });

  test("refuses other text", () => {
    for (const text of ["", "-x", "a b", "[a]", "a[", "a 1.2", "x".repeat(5_000)]) {
      assert.equal(parseRequirement(text), undefined, text.slice(0, 20));
    }
  });
});

describe("an environment marker", () => {
  const cases: readonly (readonly [string, boolean])[] = [
    ['python_version < "3.9"', false],
    ['python_version < "3.12"', true],
    ['python_full_version >= "3.11.0" and sys_platform == "linux"', true],
    [
      'sys_platform == "win32" or (platform_machine == "x86_64" and python_version != "3.8.*")',
      true,
    ],
    ['"linux" in sys_platform', true],
    ['sys_platform not in "win32,darwin"', true],
    ['extra == "test"', false],
    // A requirement with an invalid marker applies.
    ["python_version <", true],
    ['no_such_variable == "1"', true],
    [`${"(".repeat(60)}python_version < "3"${")".repeat(60)}`, true],
  ];
  for (const [marker, applies] of cases) {
    test(`${marker.slice(0, 60)} is ${applies}`, () => {
      assert.equal(appliesIn(marker, environment), applies);
    });
  }

  test("matches a requested extra", () => {
    assert.equal(appliesIn("extra == 'Some_Extra'", environment, ["some-extra"]), true);
  });
});

describe("a requirements file", () => {
  test("has packages, includes, index options and local projects", () => {
    const read = readRequirementsFile(
      [
        "# comment",
        "--index-url https://user:secret@index/simple",
        "-r more.txt",
        "-c limits.txt",
        "-e .",
        "./wheels/a.whl",
        "six==1.16.0 \\",
        "    --hash=sha256:aa \\",
        "    --hash=sha256:bb",
        "numpy>=1 ; python_version < '4'  # why",
        "??",
      ].join("\r\n"),
    );
    assert.deepEqual(
      read.requirements.map(({ name, specifier, hashes }) => [name, specifier, hashes]),
      [
        ["six", "==1.16.0", ["sha256:aa", "sha256:bb"]],
        ["numpy", ">=1", []],
      ],
    );
    assert.deepEqual(read.includes, [
      { path: "more.txt", kind: "requirements" },
      { path: "limits.txt", kind: "constraints" },
    ]);
    assert.deepEqual(read.options, ["--index-url https://user:secret@index/simple"]);
    assert.deepEqual(read.local, [".", "./wheels/a.whl"]);
    assert.deepEqual(read.unread, ["??"]);
  });
});

describe("other declarations", () => {
  test("an environment.yml separates packages of conda and of pip", () => {
    const read = readCondaEnvironment(
      "dependencies:\n- python=3.11\n- conda-forge::numpy=1.26\n- pip\n- pip:\n  - six==1.16.0\n  - -r x.txt\n",
    );
    assert.deepEqual(read.conda, ["numpy"]);
    assert.deepEqual(
      read.pip.map(({ name }) => name),
      ["six"],
    );
    assert.deepEqual(readCondaEnvironment("a: &a [*a]").conda, []);
  });

  test("a pyproject.toml declares dependencies in its project or for Poetry", () => {
    const project = readProjectFile(
      '[project]\nname = "My_App"\ndependencies = ["six>=1", "??"]\n',
    );
    assert.deepEqual(
      [project.name, project.requirements.map(({ name }) => name), project.unread],
      ["my-app", ["six"], ["??"]],
    );
    const poetry = readProjectFile(
      '[tool.poetry.dependencies]\npython = "^3.11"\nsix = "^1.16"\nx = {version = "~2.1", optional = true}\n',
    );
    assert.deepEqual(
      poetry.requirements.map(({ name, specifier }) => name + specifier),
      ["six>=1.16,<2"],
    );
    assert.deepEqual(readProjectFile("[").requirements, []);
  });

  test("Poetry's ranges become those of PEP 440", () => {
    const cases = {
      "^0.2.3": ">=0.2.3,<0.3",
      "^1": ">=1,<2",
      "~1.2.3": ">=1.2.3,<1.3",
      "1.2": "==1.2",
      "*": "",
      ">=1, <2": ">=1,<2",
    };
    for (const [range, expected] of Object.entries(cases))
      assert.equal(pep440Range(range), expected);
  });
});
