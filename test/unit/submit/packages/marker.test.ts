import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { appliesIn } from "../../../../src/spark/submit/packages/marker.ts";

const environment = {
  python_version: "3.10",
  python_full_version: "3.10.0rc1",
  sys_platform: "linux",
  platform_release: "6.1.0-custom_build",
  os_name: "posix",
};

describe("a marker", () => {
  for (const [marker, expected] of [
    ["", true],
    ['python_version < "3.9"', false],
    ['python_version > "3.9"', true],
    ['python_version >= "3.10"', true],
    ['python_version > "3.10"', false],
    ['python_version <= "3.10"', true],
    ['python_version == "3.*"', true],
    ['python_version != "3.*"', false],
    ['python_version ~= "3.8"', true],
    ['"3.9" < python_version', true],
    ['python_full_version >= "3.9"', true],
    ['python_full_version >= "3.10.0"', false],
    ["sys_platform == 'linux'", true],
    ["sys_platform === 'linux'", true],
    ["sys_platform != 'linux'", false],
    ["sys_platform == 'win32'", false],
    ["sys_platform < 'linux'", false],
    ["sys_platform <= 'linux'", true],
    ["sys_platform > 'a'", true],
    ["sys_platform >= 'linux'", true],
    ["sys_platform < 'm'", true],
    ["sys_platform <= 'a'", false],
    ["sys_platform > 'linux'", false],
    ["sys_platform >= 'm'", false],
    ["'lin' in sys_platform", true],
    ["'win' in sys_platform", false],
    ["'lin' not in sys_platform", false],
    ["'win' not in sys_platform", true],
    ["'custom' in platform_release", true],
    ["os_name == 'nt' or sys_platform == 'linux'", true],
    ["os_name == 'nt' and sys_platform == 'linux'", false],
    ["os_name == 'posix' and sys_platform == 'linux'", true],
    ["os_name == 'nt' or sys_platform == 'win32'", false],
    ["os_name == 'posix' or os_name == 'nt' and sys_platform == 'win32'", true],
    ["(os_name == 'posix' or os_name == 'nt') and sys_platform == 'win32'", false],
    ["((os_name == 'nt'))", false],
  ] as const) {
    test(`${marker} ${expected ? "applies" : "does not apply"}`, () => {
      assert.equal(appliesIn(marker, environment), expected);
    });
  }

  test("applies without text", () => {
    assert.equal(appliesIn(undefined, environment), true);
  });

  test("for an extra applies if it is requested, by its normalized name", () => {
    for (const [marker, expected] of [
      ['extra == "s3"', false],
      ['extra == "My_Extra"', true],
      ['"my.extra" == extra', true],
      ['extra != "my-extra"', false],
      ['extra != "s3"', true],
    ] as const) {
      assert.equal(appliesIn(marker, environment, ["my-extra"]), expected, marker);
    }
  });

  const invalid = [
    "os_name",
    "os_name ==",
    "== 'nt'",
    "os_name == 'nt' or",
    "os_name == 'nt' and or os_name == 'nt'",
    "(os_name == 'nt'",
    "os_name == 'nt')",
    "os_name is 'nt'",
    "unknown_variable == 'nt'",
    "os_name not 'nt'",
    "os_name ~= 'nt'",
    'extra < "s3"',
    "os_name == 'nt",
    "os_name == 5",
  ];
  for (const marker of invalid) {
    test(`that is invalid applies: ${marker}`, () => {
      assert.equal(appliesIn(marker, environment), true);
      // A part of a marker that does not apply changes nothing.
      assert.equal(appliesIn(`(${marker}) and os_name == 'nt'`, environment), true);
    });
  }

  test("may be nested 50 deep and 4,000 characters long", () => {
    const nested = (depth: number): string =>
      `${"(".repeat(depth)}os_name == 'nt'${")".repeat(depth)}`;
    assert.equal(appliesIn(nested(50), environment), false);
    assert.equal(appliesIn(nested(51), environment), true);
    const long = (length: number): string => `os_name == '${"x".repeat(length - 13)}'`;
    assert.equal(appliesIn(` ${long(4_000)} `, environment), false);
    assert.equal(appliesIn(long(4_001), environment), true);
  });
});
