import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Finding } from "../../../src/spark/conf/lint/finding.ts";
import { fixedValue } from "../../../src/spark/surfaces/fixes/fixedValue.ts";

const fixed = (code: string, value: string): string | undefined =>
  fixedValue({ code, value, near: "near" } as unknown as Finding);

function check(code: string, rows: Readonly<Record<string, string | undefined>>): void {
  for (const [value, expected] of Object.entries(rows)) {
    assert.equal(fixed(code, value), expected, `${code} ${value}`);
  }
}

describe("the value that was probably meant", () => {
  test("is true or false for other words of the kind", () => {
    const yes = ["yes", "on", "1", "y", "t", "enabled", " YES ", "ture"];
    const no = ["no", "off", "0", "n", "f", "disabled", "Off", "flase"];
    check("bad-boolean", Object.fromEntries(yes.map((word) => [word, "true"])));
    check("bad-boolean", Object.fromEntries(no.map((word) => [word, "false"])));
    check("bad-boolean", { perhaps: undefined });
  });

  test("is a size in Spark's units", () => {
    check("bad-size", {
      ...{ "2Gi": "2g", "2 GiB": "2g", "512MB": "512m", "4 gigs": "4g", "1 gigabyte": "1g" },
      ...{ "100 bytes": "100b", "3megs": "3m", "1.5g": "1536m", "1.5gb": "1536m" },
      ...{ "0.5Ti": "512g", "1.5bytes": undefined, "0.0001kb": undefined, "2x": undefined },
      ...{ "1.5k": undefined, "7PB": "7p", "2.5kib": undefined },
    });
  });

  test("is a time in Spark's units", () => {
    check("bad-time", {
      ...{ "5 sec": "5s", "5 Seconds": "5s", "2 mins": "2m", "1hr": "1h", "3 days": "3d" },
      ...{ "10 millis": "10ms", "10 microseconds": "10us", "1.5h": "90m", "0.5 minutes": "30s" },
      ...{ "0.5 s": "500ms", "1.5 weeks": undefined, "1 week": undefined, soon: undefined },
      "0.5us": undefined,
    });
  });

  test("is a plain whole number", () => {
    check("bad-number", {
      ...{ "4.0": "4", "-2.00": "-2", "1,000": "1000", "1_000_000": "1000000" },
      ...{ "4.5": undefined, "1,00": undefined, "1000,000": undefined, ten: undefined },
    });
  });

  test("is the nearest choice, and unknown for other findings", () => {
    assert.equal(fixed("bad-choice", "x"), "near");
    assert.equal(fixed("unknown-key", "x"), undefined);
    assert.equal(fixedValue({ code: "bad-size" } as unknown as Finding), undefined);
  });
});
