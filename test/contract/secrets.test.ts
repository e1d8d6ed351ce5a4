import assert from "node:assert/strict";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { Redactor } from "../../src/cluster/redactor.ts";
import { redaction } from "../../src/spark/redact.ts";
import { newAuthority } from "../../src/sandbox/security/certificates.ts";
import { startServer } from "./hostileServer.ts";
import { connectTo, errorOf, readNamespace, statusJson, temporaryFolder } from "./rig.ts";
import { assertLinearInText } from "../linearTime.ts";

const canary = "canary-5f3a9c";

test("no error and no log line contains a planted secret", async (t) => {
  const authority = newAuthority("Test Authority");
  const cluster = { "certificate-authority-data": Buffer.from(authority.cert).toString("base64") };
  const server = await startServer(
    t,
    (seen, reply) => {
      // Echoes the request headers, as some servers and proxies do.
      const echo = JSON.stringify(seen.rawHeaders);
      if (server.seen.length % 2 === 0)
        reply.json(401, statusJson(401, "Unauthorized", `got ${echo}`));
      else reply.send(500, "text/plain", echo);
    },
    { tls: authority.issue("api.test") },
  );
  const folder = await temporaryFolder(t);
  const plugin = join(folder, "plugin.sh");
  await writeFile(
    plugin,
    `#!/bin/sh
if [ "$1" = ok ]; then
  printf '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"${canary}"}}'
else
  echo "login with SECRET_VALUE=$SECRET_VALUE and --password ${canary}-2 as Bearer ${canary}-3 failed" >&2
  echo "{\\"token\\": \\"${canary}-4\\", \\"aws_secret_access_key\\": \\"${canary}-5\\"}" >&2
  exit 1
fi
`,
  );
  await chmod(plugin, 0o755);
  const tokenFile = join(folder, "token");
  await writeFile(tokenFile, canary);
  const exec = {
    apiVersion: "client.authentication.k8s.io/v1",
    command: plugin,
    env: [{ name: "SECRET_VALUE", value: `${canary}-env` }],
  };
  const users = [
    { token: canary },
    { tokenFile },
    { username: "jane", password: canary },
    { exec: { ...exec, args: ["ok"] } },
    { exec },
  ];
  for (const user of users) {
    const { connection, log } = await connectTo(t, server.url, { cluster, user });
    for (let i = 0; i < 2; i++) {
      const error = errorOf(await readNamespace(connection));
      const shown = JSON.stringify([error, log]);
      assert.doesNotMatch(shown, /canary/, shown);
      assert.doesNotMatch(shown, new RegExp(Buffer.from(`jane:${canary}`).toString("base64")));
      assert.ok(error.detail.length > 10, "something is said all the same");
    }
  }
});

test("the causes of a refusal redact secrets that the server repeats", async (t) => {
  const message = `Invalid value: "postgres://u:${canary}@h": DB_PASS=${canary}-2`;
  const server = await startServer(t, (_, reply) => {
    const causes = [{ reason: "FieldValueInvalid", field: "spec.containers[0].env", message }];
    reply.json(422, statusJson(422, "Invalid", message, { causes }));
  });
  const { connection } = await connectTo(t, server.url, { user: {} });
  const error = errorOf(await readNamespace(connection));
  assert.ok(error.kind === "invalid");
  assert.doesNotMatch(JSON.stringify(error), /canary/);
  assert.match(
    error.causes[0]?.message ?? "",
    /^Invalid value: "postgres:\/\/u:\*+\(redacted\)@h"/,
  );
});

test("keeps the words around a secret", () => {
  const redactor = new Redactor();
  redactor.learn("hunter22", undefined, "  spaced-secret \n", "abc");
  const rows = [
    ["the password was hunter22, sorry", "the password was ***, sorry"],
    ["spaced-secret", "***"],
    // Too short to be redacted safely.
    ["abc", "abc"],
    [
      "The security token included in the request is expired",
      "The security token included in the request is expired",
    ],
    ["Authorization: Bearer abcdefgh.ijk", "Authorization: Bearer ***"],
    ["eyJhbGciOi.eyJzdWIi.sig-na_ture end", "*** end"],
    ["password=x, user=y", "password=***, user=y"],
    ['{"accessKey":"a b","x":1}', '{"accessKey":"***","x":1}'],
    ["spark.ssl.keyPassword: topsecret", "spark.ssl.keyPassword: ***"],
    ["proxy http://me:pw@host:1/ failed", "proxy http://me:***@host:1/ failed"],
    [
      "-----BEGIN EC PRIVATE KEY-----\nabc\n-----END EC PRIVATE KEY----- x",
      "-----BEGIN EC PRIVATE KEY-----\n***\n-----END EC PRIVATE KEY----- x",
    ],
    ["tool --client-secret abc --verbose", "tool --client-secret *** --verbose"],
  ] as const;
  for (const [text, expected] of rows) {
    assert.equal(redactor.redact(text), expected.replaceAll("***", redaction));
  }
});

test("redacts pathological texts in time proportional to their length", () => {
  const redactor = new Redactor();
  for (const piece of ["token", "--a-", "-----BEGIN ", "eyJ", "password ", "//", "Bearer ", " "]) {
    assertLinearInText(piece, (text) => redactor.redact(text));
  }
});
