// The source of a token decides whether it may be sent to the master without consent.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type ConfAccess, withWrittenToken } from "../../../src/spark/submit/conf/access.ts";
import { conf, type Place, planOf, withOptions } from "./prepared.ts";

const key = "spark.kubernetes.authenticate.submission.oauthToken";
const accessOf = (pairs: readonly string[], place: Place = {}, ...options: string[]): ConfAccess =>
  planOf(withOptions(...options, ...conf(...pairs)), place).access;

test("records the source of a token", () => {
  const environment = { KUBERNETES_AUTH_TOKEN: "t0ken" };
  const files = {
    "/home/ada/token": "t0ken\n",
    "/home/ada/some.conf": `${key} t0ken\n`,
    "/cwd/token": "t0ken",
  };
  const rows: readonly (readonly [ConfAccess, ConfAccess["token"]])[] = [
    [accessOf([`${key}=t0ken`]), { text: "t0ken", source: { kind: "literal" } }],
    [
      accessOf([`${key}=\${env:SECRET}`], { environment: { SECRET: "t0ken" } }),
      { text: "t0ken", source: { kind: "variable" } },
    ],
    [
      accessOf([], { environment }),
      { text: "t0ken", source: { kind: "environment", name: "KUBERNETES_AUTH_TOKEN" } },
    ],
    [
      accessOf([`${key}File=/home/ada/token`], { files }),
      { text: "t0ken", source: { kind: "file", path: "/home/ada/token" } },
    ],
    [
      accessOf([], { files }, "--properties-file", "/home/ada/some.conf"),
      { text: "t0ken", source: { kind: "file", path: "/home/ada/some.conf" } },
    ],
    [accessOf([]), undefined],
  ];
  for (const [access, token] of rows) assert.deepEqual(access.token, token);
});

test("marks a token that is not in the written text as a variable's value", () => {
  const access = accessOf([`${key}=t0ken`]);
  const kindIn = (written: string, environment: Readonly<Record<string, string>> = {}): unknown =>
    withWrittenToken(access, written, environment).token?.source.kind;
  assert.equal(kindIn(`${key}=t0ken`), "literal");
  assert.equal(kindIn(`${key}=\${env:GITHUB_TOKEN}`), "variable");
});

test("treats a variable set by the command as part of it", () => {
  const environment = { KUBERNETES_AUTH_TOKEN: "t0ken" };
  const access = accessOf([], { environment });
  const kindOf = (written: string, own: Readonly<Record<string, string>>): unknown =>
    withWrittenToken(access, written, own).token?.source.kind;
  assert.equal(kindOf("KUBERNETES_AUTH_TOKEN=t0ken spark-submit", environment), "literal");
  assert.equal(kindOf("KUBERNETES_AUTH_TOKEN=$MINE spark-submit", environment), "variable");
  assert.equal(kindOf("spark-submit", {}), "environment");
});
