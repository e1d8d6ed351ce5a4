// Tests pure functions for uploads: progress, trust in a document, largest files, special addresses, tar headers.
import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { ResolvedEntry } from "../../../src/spark/submit/conf/conf.ts";
import { largestOf } from "../../../src/storage/code/codeFailure.ts";
import { byFolder } from "../../../src/storage/code/filesNamedBy.ts";
import { tarEnd, tarHeader, tarPadding } from "../../../src/storage/code/tarEntry.ts";
import {
  isChosenByDocument,
  isInside,
  userCredential,
  type ValuePlace,
} from "../../../src/storage/documentTrust.ts";
import { refuseScheme, schemeOf } from "../../../src/storage/schemes.ts";
import { isSpecialAddress } from "../../../src/storage/specialAddress.ts";
import { reportStage } from "../../../src/storage/uploadProgress.ts";
import { temporaryFolder } from "./temporaryFolder.ts";

describe("the progress of an upload", () => {
  const kib = 1024;
  const reported = (totalBytes: number, ...done: readonly number[]): readonly number[] => {
    const reports: number[] = [];
    const upload = { path: "/a", target: "s3a://b/a" };
    const report = reportStage(
      (progress) => {
        const { doneBytes, ...rest } = progress;
        assert.deepEqual(rest, { upload, stage: "sending", totalBytes });
        reports.push(doneBytes);
      },
      { upload, stage: "sending", totalBytes },
    );
    done.forEach(report);
    return reports;
  };

  test("is reported in steps of at least 64 KiB, and at the end", () => {
    const done = [0, 64 * kib - 1, 64 * kib, 65 * kib, 128 * kib, 129 * kib];
    assert.deepEqual(reported(129 * kib, ...done), [0, 64 * kib, 128 * kib, 129 * kib]);
  });

  test("is reported in 200 steps of a large file", () => {
    const total = 200 * 1024 * kib;
    const step = 1024 * kib;
    assert.deepEqual(reported(total, 1, step, step + 1, 2 * step, total), [1, step + 1, total]);
  });

  test("never decreases, and is reported once", () => {
    assert.deepEqual(reported(300 * kib, 200 * kib, 100 * kib, 300 * kib, 300 * kib), [
      200 * kib,
      300 * kib,
    ]);
    assert.deepEqual(reported(0, 0, 0), [0]);
  });

  test("is ignored without a listener", () => {
    const upload = { path: "/a", target: "b" };
    reportStage(undefined, { upload, stage: "reading", totalBytes: 1 })(1);
  });
});

describe("the trust in a document", () => {
  const conf = (value: string, origin: ResolvedEntry["origin"]): ValuePlace => ({
    ...{ kind: "conf", entry: { value, origin } },
  });
  const document = {
    written: "--conf spark.x=known-value",
    isOfWorkspace: (path: string) => Promise.resolve(path.startsWith("/workspace/")),
    agree: () => assert.fail("asked"),
  };
  const argument = { kind: "argument", token: 1 } as const;
  const inside = { kind: "file", path: "/workspace/spark.conf" } as const;
  const outside = { kind: "file", path: "/home/spark.conf" } as const;

  for (const [title, place, credential, isChosen] of [
    [
      "an environment variable",
      { kind: "environment", name: "A" },
      { kind: "environment", name: "A" },
      false,
    ],
    ["a file", { kind: "file", path: "/p" }, { kind: "file", path: "/p" }, false],
    ["a value that the document contains", conf("known-value", argument), undefined, true],
    ["a value of a variable", conf("from-variable", argument), { kind: "variable" }, true],
    ["an unresolved variable", conf("${env:A}", argument), { kind: "variable" }, true],
    ["a value of a workspace file", conf("other", inside), undefined, true],
    ["a variable in a workspace file", conf("${env:A}", inside), { kind: "variable" }, true],
    [
      "a value of the user's file",
      conf("known-value", outside),
      { kind: "file", path: "/home/spark.conf" },
      false,
    ],
  ] as const) {
    test(`${title} is ${credential === undefined ? "no" : "a"} credential of the user`, async () => {
      assert.deepEqual(await userCredential(place, document), credential);
      assert.equal(await isChosenByDocument(place, document), isChosen);
    });
  }

  test("covers files below the workspace folders, after links are resolved", async (t) => {
    const root = temporaryFolder(t);
    const [workspace, other] = [join(root, "workspace"), join(root, "other")];
    for (const folder of [workspace, other, join(workspace, "..a")]) mkdirSync(folder);
    for (const file of [
      join(workspace, "a"),
      join(other, "b"),
      join(root, "workspace2"),
      join(workspace, "..a", "c"),
    ]) {
      writeFileSync(file, "");
    }
    symlinkSync(join(other, "b"), join(workspace, "out"));
    symlinkSync(join(workspace, "a"), join(other, "in"));
    symlinkSync(workspace, join(root, "link"));
    for (const [path, folders, expected] of [
      [join(workspace, "a"), [workspace], true],
      [join(workspace, "a"), [other, workspace], true],
      [join(workspace, "a"), [join(root, "link")], true],
      [join(workspace, "a"), [join(root, "none"), other], false],
      [join(workspace, "..a", "c"), [workspace], true],
      [join(workspace, "out"), [workspace], false],
      [join(other, "in"), [workspace], true],
      [join(root, "workspace2"), [workspace], false],
      [workspace, [workspace], false],
      [root, [workspace], false],
      [join(workspace, "none"), [workspace], false],
      [join(workspace, "a"), [], false],
    ] as const) {
      assert.equal(await isInside(path, folders), expected, `${path} in ${folders.join()}`);
    }
  });
});

describe("special addresses", () => {
  // The first and the last address of each reserved IPv4 range.
  const ranges4 = [
    ["0.0.0.0", "0.255.255.255"],
    ["10.0.0.0", "10.255.255.255"],
    ["100.64.0.0", "100.127.255.255"],
    ["127.0.0.0", "127.255.255.255"],
    ["169.254.0.0", "169.254.255.255"],
    ["172.16.0.0", "172.31.255.255"],
    ["192.0.0.0", "192.0.0.255"],
    ["192.0.2.0", "192.0.2.255"],
    ["192.88.99.0", "192.88.99.255"],
    ["192.168.0.0", "192.168.255.255"],
    ["198.18.0.0", "198.19.255.255"],
    ["198.51.100.0", "198.51.100.255"],
    ["203.0.113.0", "203.0.113.255"],
    ["224.0.0.0", "255.255.255.255"],
  ] as const;
  const numberOf = (address: string): number =>
    address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
  const addressOf = (number: number): string =>
    [24, 16, 8, 0].map((bits) => Math.floor(number / 2 ** bits) % 256).join(".");

  for (const [first, last] of ranges4) {
    test(`begin at ${first} and end at ${last}`, () => {
      assert.equal(isSpecialAddress(first), true);
      assert.equal(isSpecialAddress(last), true);
      const neighbors = [numberOf(first) - 1, numberOf(last) + 1];
      for (const number of neighbors.filter((one) => one >= 0 && one < 2 ** 32)) {
        assert.equal(isSpecialAddress(addressOf(number)), false, addressOf(number));
      }
    });
  }

  for (const [address, expected] of [
    ["::1", true],
    ["fe80::1%eth0", true],
    ["fd00::1", true],
    ["1fff:ffff::", true],
    ["2000::", false],
    ["3ffe::", false],
    ["4000::", true],
    ["2001::1", true],
    ["2001:1ff::", true],
    ["2001:200::", false],
    ["2001:db8::1", true],
    ["2001:db9::1", false],
    ["2002::1", true],
    ["2003::1", false],
    ["3fff:fff::", true],
    ["3fff:1000::", false],
    ["2606:4700::1111%eth0", false],
    ["a.example", true],
    ["", true],
  ] as const) {
    test(`${expected ? "include" : "exclude"} "${address}"`, () => {
      assert.equal(isSpecialAddress(address), expected);
    });
  }
});

describe("the scheme of an address", () => {
  test("has at least two letters", () => {
    const schemes = ["s3a://b/a", "file:/a", "C:\\a", "/a", "a:b", "h+2.x-y:", "2a:b", ""];
    assert.deepEqual(schemes.map(schemeOf), [
      ...["s3a", "file", undefined, undefined, undefined, "h+2.x-y", undefined, undefined],
    ]);
  });

  test("is refused with the usable ones", () => {
    assert.match(
      refuseScheme("hdfs://n/a", ["s3a", "file"]),
      /^files can be uploaded only to "s3a:", "file:" addresses, not to "hdfs:"\. .* or its "hdfs:" address if the driver's image supports this scheme$/,
    );
    assert.match(refuseScheme("a", []), /not to ":"/);
  });
});

test("the three largest files are named by size, then by path", () => {
  const kib = 1024;
  assert.equal(
    largestOf([
      { path: "a", size: kib },
      { path: "d", size: 3 * kib },
      { path: "c", size: 2 * kib },
      { path: "b", size: 2 * kib },
    ]),
    "d (3.0 KiB), b (2.0 KiB), c (2.0 KiB)",
  );
  assert.equal(largestOf([]), "");
});

test("files are grouped by the first folder of their places", () => {
  const places = ["data/a", "data/b/c", "a", ".x/a", "a b/c", "x.y-1/a", "/a"];
  const files = places.map((place) => ({ path: `/w/${place}`, place, reason: "r" }));
  const folders = [...byFolder(files)].map(([folder, all]) => [
    folder,
    all.map(({ place }) => place),
  ]);
  assert.deepEqual(folders, [
    ["data", ["data/a", "data/b/c"]],
    ["x.y-1", ["x.y-1/a"]],
  ]);
});

describe("a tar header", () => {
  const text = (header: Buffer, at: number, length: number): string =>
    header.toString("latin1", at, at + length);
  /** Asserts the checksum of a block: the sum of its bytes, with spaces in the place of the sum. */
  function checkSum(block: Buffer): void {
    const blank = Buffer.from(block);
    blank.fill(" ", 148, 156);
    const sum = blank.reduce((total, byte) => total + byte, 0);
    assert.equal(text(block, 148, 8), `${sum.toString(8).padStart(6, "0")}\0 `);
  }

  test("has the fields of a read-only file", () => {
    const header = tarHeader("a/b.py", 1234, false);
    assert.equal(header.length, 512);
    assert.equal(text(header, 0, 7), "a/b.py\0");
    assert.equal(text(header, 100, 24), ["0000444", "0000000", "0000000", ""].join("\0"));
    assert.equal(text(header, 124, 12), "00000002322\0");
    assert.equal(text(header, 136, 12), "02263523000\0");
    assert.equal(text(header, 156, 1), "0");
    assert.equal(text(header, 257, 8), "ustar\x0000");
    assert.equal(text(header, 329, 16), ["0000000", "0000000", ""].join("\0"));
    checkSum(header);
    assert.equal(text(tarHeader("a", 0, true), 100, 8), "0000555\0");
  });

  test("is extended for long names, other characters and large sizes", () => {
    const largest = 8 ** 11 - 1;
    for (const [name, size, record] of [
      ["a".repeat(100), largest, undefined],
      ["a".repeat(101), 1, `111 path=${"a".repeat(101)}\n`],
      ["é", 1, "11 path=é\n"],
      ["a\tb", 1, "12 path=a\tb\n"],
      ["a", largest + 1, "19 size=8589934592\n"],
      ["é", largest + 1, "11 path=é\n19 size=8589934592\n"],
    ] as const) {
      const header = tarHeader(name, size, false);
      if (record === undefined) {
        assert.equal(header.length, 512, name);
        continue;
      }
      assert.equal(header.length, 3 * 512, name);
      const bytes = Buffer.byteLength(record);
      assert.equal(text(header, 156, 1), "x");
      assert.equal(text(header, 124, 12), `${bytes.toString(8).padStart(11, "0")}\0`);
      assert.equal(header.toString("utf8", 512, 512 + bytes), record);
      checkSum(header.subarray(0, 512));
      checkSum(header.subarray(1024));
      const digits = Math.min(size, largest).toString(8).padStart(11, "0");
      assert.equal(text(header, 1024 + 124, 12), `${digits}\0`);
    }
  });

  test("has a short name of at most 100 bytes, cut between characters", () => {
    const header = tarHeader(`${"a".repeat(99)}éé`, 1, false).subarray(-512);
    assert.equal(text(header, 0, 100), `${"a".repeat(99)}\0`);
  });

  test("is followed by content up to the next block, and by two blocks at the end", () => {
    const lengths = [0, 1, 511, 512, 513].map((size) => tarPadding(size).length);
    assert.deepEqual(lengths, [0, 511, 1, 0, 511]);
    assert.deepEqual(tarEnd, Buffer.alloc(1024));
  });
});
