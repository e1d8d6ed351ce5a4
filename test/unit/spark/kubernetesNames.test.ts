import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  isDnsLabel,
  isDnsName,
  isLabelKey,
  isLabelValue,
  isLetterLabel,
} from "../../../src/spark/kubernetesNames.ts";

const accepted = (rule: (text: string) => boolean, texts: readonly string[]): readonly string[] =>
  texts.filter(rule);

describe("Kubernetes names", () => {
  const texts = ["a", "1a", "a-b", "a.b", "a-", "-a", "a..b", "a.-b", "A", "a_b", "", "ü", "a\n"];
  const long = "a".repeat(64);

  test("labels have no dots, and neither begin nor end with a hyphen", () => {
    assert.deepEqual(accepted(isDnsLabel, [...texts, long]), ["a", "1a", "a-b"]);
  });

  test("labels of RFC 1035 begin with a letter", () => {
    assert.deepEqual(accepted(isLetterLabel, [...texts, long]), ["a", "a-b"]);
  });

  test("names are labels separated by single dots, at most 253 characters", () => {
    assert.deepEqual(accepted(isDnsName, [...texts, long, "a".repeat(254)]), [
      ...["a", "1a", "a-b", "a.b"],
      long,
    ]);
  });
});

describe("Kubernetes labels", () => {
  test("values may be empty, and begin and end with a letter or digit", () => {
    const texts = ["", "a", "A_b.c-1", "_a", "a-", "a b", "a".repeat(64)];
    assert.deepEqual(accepted(isLabelValue, texts), ["", "a", "A_b.c-1"]);
  });

  test("keys have at most one prefix, which is a DNS name", () => {
    const texts = ["a", "Team", "x.io/a", "x.io/", "/a", "x_y/a", "a/b/c", ""];
    assert.deepEqual(accepted(isLabelKey, texts), ["a", "Team", "x.io/a"]);
  });
});
