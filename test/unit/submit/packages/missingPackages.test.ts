import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  decodeImagePython,
  imagePythonOf,
  platformTags,
  uvPlatform,
  type ImagePython,
} from "../../../../src/spark/submit/packages/imagePython.ts";
import { installFailure } from "../../../../src/spark/submit/packages/installFailure.ts";
import {
  installArguments,
  installPlan,
  planText,
} from "../../../../src/spark/submit/packages/installPlan.ts";
import {
  lockedPackage,
  lockTables,
  type LockFormat,
} from "../../../../src/spark/submit/packages/lockFile.ts";
import { missingPackages } from "../../../../src/spark/submit/packages/missingPackages.ts";
import type { PythonNeeds } from "../../../../src/spark/submit/packages/pythonNeeds.ts";
import { readRequirementsFile } from "../../../../src/spark/submit/packages/requirementsFile.ts";

const python: ImagePython = {
  version: "3.11.2",
  machine: "x86_64",
  libc: "glibc 2.36",
  environment: { python_version: "3.11", python_full_version: "3.11.2", sys_platform: "linux" },
  installed: { numpy: "1.24.0", six: "1.16.0", pre: "2.0rc1" },
};
const listed = (text: string): PythonNeeds => ({
  path: "/w/requirements.txt",
  format: "requirements.txt",
  direct: readRequirementsFile(text).requirements,
  locked: undefined,
  constraints: [],
  options: [],
  unread: [],
  conda: [],
});
const sha = (digit: string): string => `sha256:${digit.repeat(64)}`;
const locked = (text: string, format: LockFormat, direct: readonly string[]): PythonNeeds => ({
  ...listed(direct.join("\n")),
  format,
  locked: lockTables(text).flatMap((table) => lockedPackage(table, format) ?? []),
});
const missingOf = (needs: PythonNeeds): readonly string[] =>
  missingPackages(needs, python).map(
    ({ needed: { name, specifier }, installed = "none" }) => `${name}${specifier} (${installed})`,
  );

// A lock file as uv 0.13 writes it, shortened.
const uvLock = `version = 1
requires-python = ">=3.9"

[[package]]
name = "app"
version = "0.1.0"
source = { virtual = "." }
dependencies = [
    { name = "attrs", extra = ["dev"] },
    { name = "colorama", marker = "sys_platform == 'win32'" },
    { name = "numpy" },
]

[package.metadata]
requires-dist = [{ name = "attrs" }]

[[package]]
name = "attrs"
version = "26.1.0"
source = { registry = "https://pypi.org/simple" }
sdist = { url = "https://x/a.tar.gz", hash = "${sha("a")}", size = 1 }
wheels = [
    { url = "https://x/a.whl", hash = "${sha("b")}", size = 1 },
]

[package.optional-dependencies]
dev = [
    { name = "tool" },
]

[[package]]
name = "colorama"
version = "0.4.6"
source = { registry = "https://pypi.org/simple" }

[[package]]
name = "numpy"
version = "1.24.0"
source = { registry = "https://pypi.org/simple" }

[[package]]
name = "tool"
version = "3"
source = { git = "https://github.com/x/tool?rev=1" }
`;

const poetryLock = `[[package]]
name = "python-dateutil"
version = "2.9.0.post0"
optional = false
groups = ["main"]
files = [
    {file = "a.whl", hash = "${sha("c")}"},
]

[package.dependencies]
six = ">=1.5"

[[package]]
name = "six"
version = "1.17.0"
files = [
    {file = "s.whl", hash = "${sha("d")}"},
]

[metadata]
lock-version = "2.1"
content-hash = "x"
`;

describe("missing packages", () => {
  test("are those that the image lacks or has in another version", () => {
    const text =
      "numpy>=2\nsix\npandas\nwin ; sys_platform == 'win32'\npre>=2.0rc0\npyspark==3.5.1\n";
    assert.deepEqual(missingOf(listed(text)), ["numpy>=2 (1.24.0)", "pandas (none)"]);
  });

  test("of a uv.lock follow markers and extras, and compare exact versions", () => {
    const needs = locked(uvLock, "uv.lock", []);
    const app = needs.locked?.find(({ source }) => source === "project");
    const direct = app?.dependencies ?? [];
    assert.deepEqual(missingOf({ ...needs, direct }), ["attrs==26.1.0 (none)", "tool==3 (none)"]);
    const found = missingPackages({ ...needs, direct }, python);
    assert.deepEqual(
      found.map(({ needed }) => needed.isUnsendable),
      [false, true],
    );
    assert.deepEqual(found[0]?.needed.hashes, [sha("a"), sha("b")]);
  });

  test("of a poetry.lock start from the dependencies of the project", () => {
    const needs = locked(poetryLock, "poetry.lock", ["python-dateutil"]);
    assert.deepEqual(missingOf(needs), [
      "python-dateutil==2.9.0.post0 (none)",
      "six==1.17.0 (1.16.0)",
    ]);
  });
});

describe("the installation", () => {
  const place = { target: "/t", requirements: "/r", constraints: "/c", overrides: "/o" };

  test("of a lock file has exact versions and hashes, and nothing else", () => {
    const needs = locked(poetryLock, "poetry.lock", ["python-dateutil"]);
    const plan = installPlan(needs, missingPackages(needs, python), python);
    assert.deepEqual(plan.requirements, [
      `python-dateutil==2.9.0.post0 --hash=${sha("c")}`,
      `six==1.17.0 --hash=${sha("d")}`,
    ]);
    for (const tool of ["uv", "pip"] as const) {
      const args = installArguments(tool, plan, place);
      assert.ok(args.includes("--no-deps") && args.includes("--require-hashes"), tool);
      assert.ok(args.includes("--only-binary"), tool);
    }
  });

  test("is for the Python and the platform of the image", () => {
    const needs = listed("pandas");
    const plan = installPlan(needs, missingPackages(needs, python), python);
    const uv = installArguments("uv", plan, place).join(" ");
    assert.match(uv, /--python-platform x86_64-manylinux_2_28 .*--python-version 3\.11\.2/);
    assert.match(uv, /--override \/o/);
    const pip = installArguments("pip", plan, place).join(" ");
    assert.match(pip, /--abi cp311 --abi abi3 --abi none --platform manylinux_2_36_x86_64/);
    assert.doesNotMatch(pip, /--no-deps|--require-hashes|manylinux_2_37/);
  });

  test("of another index names it, and has another identity", () => {
    const text = uvLock.replace("https://pypi.org/simple", "https://own/simple");
    const needs = locked(text, "uv.lock", ["attrs"]);
    const plan = installPlan(needs, missingPackages(needs, python), python);
    assert.equal(plan.requirements[0], "--index-url https://own/simple");
    const other = installPlan(needs, missingPackages(needs, python), {
      ...python,
      version: "3.12.1",
    });
    assert.notEqual(planText(plan), planText(other));
  });

  test("recognizes the platforms of other C libraries", () => {
    const alpine = { machine: "aarch64", libc: "musl 1.1" };
    assert.equal(uvPlatform(alpine), "aarch64-unknown-linux-musl");
    assert.deepEqual(platformTags(alpine).slice(0, 2), [
      "musllinux_1_1_aarch64",
      "musllinux_1_0_aarch64",
    ]);
    assert.equal(uvPlatform({ machine: "x86_64", libc: "glibc 2.17" }), "x86_64-manylinux2014");
    assert.deepEqual(platformTags({ machine: "x86_64", libc: "" }), ["linux_x86_64"]);
  });
});

describe("the output of an image", () => {
  const line = (...values: readonly string[]): string =>
    `SPARK_K8S_PYTHON ${JSON.stringify(values)}`;
  const lines = [
    "some warning",
    line("python", "3.11.2", "x86_64", "glibc 2.36"),
    line("marker", "python_version", "3.11"),
    line("package", "Foo_Bar", "1.0"),
  ];

  test("is decoded with normalized names", () => {
    const read = decodeImagePython([...lines, line("end")]);
    assert.deepEqual(read?.installed, { "foo-bar": "1.0" });
    assert.deepEqual(imagePythonOf(JSON.parse(JSON.stringify(read))), read);
  });

  test("counts only if it is complete and can be an argument", () => {
    assert.equal(decodeImagePython(lines), undefined);
    const hostile = line("python", "3.11.2", "--index-url=x", "glibc 2.36");
    assert.equal(decodeImagePython([hostile, line("end")]), undefined);
  });
});

// The first lines of each output were recorded from uv 0.13.9 and pip 23.2.1.
describe("the output of a failed installation", () => {
  const cases: readonly (readonly [string, string])[] = [
    [
      "error: No solution found when resolving dependencies\n  cause: Because pyspark==3.5.1 has no usable wheels and you require pyspark==3.5.1, we can conclude that your requirements are unsatisfiable.",
      "noWheel",
    ],
    [
      "error: No solution found when resolving dependencies\n  cause: Because no-such was not found in the package registry and you require no-such",
      "notFound",
    ],
    [
      "error: No solution found when resolving dependencies\n  cause: Because there is no version of python-dateutil==99",
      "notFound",
    ],
    [
      "ERROR: Could not find a version that satisfies the requirement x (from versions: none)\nERROR: No matching distribution found for x",
      "notFound",
    ],
    [
      "WARNING: Retrying (Retry(total=4)) after connection broken by 'NewConnectionError(...)'\nERROR: Could not find a version that satisfies the requirement six (from versions: none)",
      "unreachable",
    ],
    [
      "error: Request failed after 3 retries in 6.5s\n  cause: Failed to fetch: https://own/six/",
      "unreachable",
    ],
    [
      "error: Failed to download `six==1.16.0`\n  cause: Hash mismatch for `six==1.16.0`",
      "wrongHash",
    ],
    ["ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.", "wrongHash"],
    ["something else", "other"],
  ];
  for (const [output, kind] of cases) {
    test(`${kind}: ${output.slice(0, 50).replaceAll("\n", " ")}`, () => {
      const failure = installFailure(output);
      assert.equal(failure.kind, kind);
      assert.ok("detail" in failure && failure.detail !== "");
    });
  }
});
