import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { type TestContext, test } from "node:test";
import { newAuthority } from "../../src/sandbox/security/certificates.ts";
import { ManualClock } from "./clocks.ts";
import { type HostileServer, type Seen, startServer } from "./hostileServer.ts";
import {
  connectTo,
  errorOf,
  namespaceJson,
  readNamespace,
  type Rig,
  statusJson,
  valueOf,
} from "./rig.ts";

const authority = newAuthority("Test Authority");
const tls = authority.issue("api.test");
const ca = Buffer.from(authority.cert).toString("base64");
const cluster = { "certificate-authority-data": ca };

/** Returns an unsigned JSON Web Token, because the client reads only its expiry. */
function idToken(expiresAtMs: number, mark: string): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none" })}.${part({ exp: Math.floor(expiresAtMs / 1000), mark })}.sig`;
}

interface Issuer {
  readonly server: HostileServer;
  readonly refreshes: readonly Seen[];
}

/** Starts an issuer that responds to the n-th refresh with `grant(n)`. */
async function startIssuer(
  t: TestContext,
  grant: (turn: number, form: URLSearchParams) => readonly [number, unknown],
  discovery: Readonly<Record<string, unknown>> = {},
): Promise<Issuer> {
  const refreshes: Seen[] = [];
  const server = await startServer(
    t,
    (seen, reply) => {
      if (seen.method === "GET") {
        const description = { issuer: server.url, token_endpoint: `${server.url}/token` };
        reply.json(200, { ...description, ...discovery });
        return;
      }
      refreshes.push(seen);
      reply.json(...grant(refreshes.length, new URLSearchParams(seen.body)));
    },
    { tls },
  );
  return { server, refreshes };
}

const acceptAll = (t: TestContext): Promise<HostileServer> =>
  startServer(
    t,
    (_seen, reply) => {
      reply.json(200, namespaceJson);
    },
    { tls },
  );

const userOf = (
  issuer: HostileServer,
  config: Readonly<Record<string, string | undefined>>,
): unknown => ({
  "auth-provider": {
    name: "oidc",
    config: {
      "idp-issuer-url": issuer.url,
      "idp-certificate-authority-data": ca,
      "client-id": "kubernetes",
      "client-secret": "s&cret",
      "refresh-token": "refresh-1",
      ...config,
    },
  },
});

const minute = 60_000;

async function signedIn(
  t: TestContext,
  server: HostileServer,
  issuer: HostileServer,
  clock: ManualClock,
  config: Readonly<Record<string, string | undefined>> = {},
): Promise<Rig> {
  const user = userOf(issuer, {
    "id-token": idToken(clock.now() + 5 * minute, "first"),
    ...config,
  });
  return connectTo(t, server.url, { cluster, user, clock });
}

const markOf = ({ headers }: Seen): unknown => {
  const payload = (headers.authorization ?? "").split(".")[1] ?? "";
  return (JSON.parse(Buffer.from(payload, "base64url").toString()) as { mark: unknown }).mark;
};

test("uses an id token until a minute before expiry, then refreshes it once for all requests", async (t) => {
  const clock = new ManualClock();
  const issuer = await startIssuer(t, (turn) => [
    200,
    { id_token: idToken(clock.now() + 10 * minute, `refreshed ${turn}`) },
  ]);
  const server = await acceptAll(t);
  const { connection } = await signedIn(t, server, issuer.server, clock);
  valueOf(await readNamespace(connection));
  assert.equal(issuer.server.connections, 0);
  await clock.advance(4.5 * minute);
  const results = await Promise.all(Array.from({ length: 5 }, () => readNamespace(connection)));
  for (const result of results) valueOf(result);
  await clock.advance(5 * minute);
  valueOf(await readNamespace(connection));
  assert.deepEqual(server.seen.map(markOf), ["first", ...Array<string>(6).fill("refreshed 1")]);
  assert.equal(issuer.refreshes.length, 1);
  const [refresh] = issuer.refreshes;
  assert.equal(refresh?.body, "grant_type=refresh_token&refresh_token=refresh-1");
  const pair = Buffer.from("kubernetes:s%26cret").toString("base64");
  assert.equal(refresh.headers.authorization, `Basic ${pair}`);
});

test("sends the client secret in the form if the issuer requires it", async (t) => {
  const clock = new ManualClock();
  const issuer = await startIssuer(
    t,
    () => [200, { id_token: idToken(clock.now() + 10 * minute, "new") }],
    { token_endpoint_auth_methods_supported: ["client_secret_post"] },
  );
  const server = await acceptAll(t);
  const { connection } = await signedIn(t, server, issuer.server, clock, { "id-token": undefined });
  valueOf(await readNamespace(connection));
  const [refresh] = issuer.refreshes;
  assert.equal(refresh?.headers.authorization, undefined);
  assert.equal(
    refresh?.body,
    "grant_type=refresh_token&refresh_token=refresh-1&client_id=kubernetes&client_secret=s%26cret",
  );
});

test("refreshes a rejected token and resends the request once", async (t) => {
  const clock = new ManualClock();
  const issuer = await startIssuer(t, (turn) => [
    200,
    { id_token: idToken(clock.now() + 10 * minute, `refreshed ${turn}`) },
  ]);
  const server = await startServer(
    t,
    (seen, reply) => {
      if (markOf(seen) === "refreshed 1") reply.json(200, namespaceJson);
      else reply.json(401, statusJson(401, "Unauthorized", "Unauthorized"));
    },
    { tls },
  );
  const { connection } = await signedIn(t, server, issuer.server, clock);
  const early = errorOf(await readNamespace(connection));
  assert.equal(early.kind, "unauthorized", "not asked again within ten seconds");
  await clock.advance(11_000);
  valueOf(await readNamespace(connection));
  assert.equal(issuer.refreshes.length, 1);
});

test("writes a rotated refresh token back and changes nothing else in the file", async (t) => {
  const clock = new ManualClock();
  const next = idToken(clock.now() + 10 * minute, "refreshed");
  const issuer = await startIssuer(t, (_turn, form) =>
    form.get("refresh_token") === "refresh-1"
      ? [200, { id_token: next, refresh_token: "refresh-2" }]
      : [400, { error: "invalid_grant" }],
  );
  const server = await acceptAll(t);
  const rig = await signedIn(t, server, issuer.server, clock);
  const old = idToken(clock.now() - minute, "old");
  const yaml = (id: string, refresh: string): string =>
    `# mine\nusers:\n- name: u\n  user: {auth-provider: {name: oidc, config: {\n` +
    `    idp-issuer-url: "${issuer.server.url}", client-id: kubernetes,\n` +
    `    id-token: ${id}, refresh-token: ${refresh}}}} # my session\n` +
    `- name: other\n  user: {auth-provider: {name: oidc, config: {refresh-token: refresh-1}}}\n`;
  await writeFile(rig.kubeconfig, yaml(old, "refresh-1"));
  await chmod(rig.kubeconfig, 0o600);
  valueOf(await readNamespace(rig.connection));
  assert.equal(server.seen.length, 1);
  const written = await readFile(rig.kubeconfig, "utf8");
  assert.equal(written, yaml(JSON.stringify(next), '"refresh-2"'));
  assert.equal((await stat(rig.kubeconfig)).mode & 0o777, 0o600);
});

test("keeps a locked or changed file, and still uses the token", async (t) => {
  for (const obstacle of ["lock", "change"]) {
    const clock = new ManualClock();
    const issuer = await startIssuer(t, (turn, form) => {
      // Changes the file before the response, because the client writes the token after the response.
      if (obstacle === "change") writeFileSync(rig.kubeconfig, "users: []\n");
      assert.equal(form.get("refresh_token"), `refresh-${turn}`);
      const granted = { id_token: idToken(clock.now() + 10 * minute, "new") };
      return [200, { ...granted, refresh_token: `refresh-${turn + 1}` }];
    });
    const server = await acceptAll(t);
    const rig = await signedIn(t, server, issuer.server, clock, { "id-token": undefined });
    const before = await readFile(rig.kubeconfig, "utf8");
    if (obstacle === "lock") await writeFile(`${rig.kubeconfig}.lock`, "");
    for (const turn of [1, 2]) {
      valueOf(await clock.advanceUntil(readNamespace(rig.connection)));
      assert.equal(issuer.refreshes.length, turn);
      await clock.advance(10 * minute);
    }
    const after = await readFile(rig.kubeconfig, "utf8");
    assert.equal(after, obstacle === "lock" ? before : "users: []\n");
    const reason =
      obstacle === "lock" ? "is held by another program" : "another program has changed it";
    assert.match(rig.log.join("\n"), new RegExp(`was not written to .*${reason}`));
  }
});

test("takes a token that another program has refreshed from the file", async (t) => {
  const clock = new ManualClock();
  const issuer = await startIssuer(t, () => [400, { error: "invalid_grant" }]);
  const server = await acceptAll(t);
  const rig = await signedIn(t, server, issuer.server, clock);
  valueOf(await readNamespace(rig.connection));
  await clock.advance(10 * minute);
  const text = await readFile(rig.kubeconfig, "utf8");
  const fresh = idToken(clock.now() + 10 * minute, "kubectl's");
  await writeFile(rig.kubeconfig, text.replace(/"id-token":"[^"]*"/, `"id-token":"${fresh}"`));
  valueOf(await readNamespace(rig.connection));
  assert.deepEqual(server.seen.map(markOf), ["first", "kubectl's"]);
  assert.equal(issuer.refreshes.length, 0);
});

test("each refresh failure reports the reason and a solution", async (t) => {
  type Grant = Parameters<typeof startIssuer>[1];
  const none: Grant = () => [200, {}];
  const rows: readonly (readonly [Grant, Readonly<Record<string, unknown>>, RegExp])[] = [
    [
      () => [400, { error: "invalid_grant", error_description: "session gone" }],
      {},
      /status 400, invalid_grant: session gone\)/,
    ],
    [none, {}, /returned no id_token/],
    [none, { issuer: "https://other" }, /describes another issuer/],
    [none, { token_endpoint: "http://other/token" }, /no https token endpoint/],
  ];
  const server = await acceptAll(t);
  for (const [grant, discovery, words] of rows) {
    const issuer = await startIssuer(t, grant, discovery);
    const config = { "id-token": undefined };
    const { connection } = await signedIn(t, server, issuer.server, new ManualClock(), config);
    const error = errorOf(await readNamespace(connection));
    assert.ok(error.kind === "configuration" && error.problem === "credentials");
    assert.match(error.detail, words);
    assert.match(error.detail, /Sign in again the way you do for kubectl$/);
  }
  const issuer = await startIssuer(t, none);
  const without = { "id-token": undefined, "refresh-token": undefined };
  const { connection } = await signedIn(t, server, issuer.server, new ManualClock(), without);
  assert.match(errorOf(await readNamespace(connection)).detail, /there is no refresh token/);
  assert.equal(server.seen.length, 0);
});

test("sends no secret to an issuer with an untrusted certificate", async (t) => {
  const issuer = await startIssuer(t, () => [200, {}]);
  const other = Buffer.from(newAuthority("Other").cert).toString("base64");
  const config = { "id-token": undefined, "idp-certificate-authority-data": other };
  const { connection } = await signedIn(
    t,
    await acceptAll(t),
    issuer.server,
    new ManualClock(),
    config,
  );
  assert.match(errorOf(await readNamespace(connection)).detail, /untrusted authority/);
  assert.equal(issuer.server.seen.length, 0);
});
