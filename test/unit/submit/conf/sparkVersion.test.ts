import assert from "node:assert/strict";
import { test } from "node:test";
import { minorOf, sparkVersionOfImage } from "../../../../src/spark/submit/conf/sparkVersion.ts";

const images: readonly (readonly [image: string, version: string | undefined])[] = [
  ["apache/spark:3.5.9", "3.5.9"],
  ["apache/spark:4.0.1-scala2.13-java17-python3-ubuntu", "4.0.1"],
  ["registry.example.com:5000/team/spark:v3.4.4", "3.4.4"],
  ["registry.example.com:5000/team/spark", undefined],
  ["spark:python3.10-3.3.4", "3.3.4"],
  ["spark:latest", undefined],
  ["spark", undefined],
  ["spark:2.4.8", undefined],
  ["spark:4.2", "4.2"],
  ["spark:4.3.0@sha256:0123", "4.3.0"],
  ["spark@sha256:4.3.0", undefined],
];

for (const [image, version] of images) {
  test(`the image "${image}" ${version === undefined ? "has no version" : `has Spark ${version}`}`, () => {
    assert.equal(sparkVersionOfImage(image), version);
  });
}

test("gives the minor version, and undefined for an unknown one", () => {
  assert.equal(minorOf("3.5.9"), "3.5");
  assert.equal(minorOf("4.3"), "4.3");
  assert.equal(minorOf("4.3.0-SNAPSHOT"), "4.3");
  assert.equal(minorOf("3.10.0"), undefined);
  assert.equal(minorOf("main"), undefined);
});
