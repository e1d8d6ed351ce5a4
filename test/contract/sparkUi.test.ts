// The proxy in front of a Spark UI: a browser on one side, a hostile driver on the other, both over real sockets.
import assert from "node:assert/strict";
import { once } from "node:events";
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestListener,
} from "node:http";
import { connect, type AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { describe, test, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { ok } from "../../src/base/result.ts";
import { openClusters } from "../../src/cluster/door.ts";
import type { UiProblem, UiProxy, UiWay } from "../../src/engine/ports/driverUi.ts";
import type { KillTarget } from "../../src/spark/ui/pageRules.ts";
import { realClock } from "./clocks.ts";
import { acceptStream, goodbye, MaskedReader, message } from "./podFrames.ts";
import { connectTo } from "./rig.ts";

const prefix = "/api/v1/namespaces/ns/pods/driver:4040/proxy";

interface Rig {
  readonly proxy: UiProxy;
  /** Requests that the driver received. */
  readonly seen: IncomingMessage[];
  /** Paths of requests that the API server received. */
  readonly asked: string[];
  readonly problems: UiProblem[];
  readonly kills: KillTarget[];
  /** Routes to the driver that the API server refuses with 403. */
  readonly forbidden: Set<UiWay>;
  readonly lines: readonly string[];
  mayKill: boolean;
  /** Handles requests to the driver; a test may replace it. */
  driver: RequestListener;
  get(path: string, headers?: Readonly<Record<string, string>>, method?: string): Promise<Answer>;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

async function start(t: TestContext, driver: RequestListener): Promise<Rig> {
  const seen: IncomingMessage[] = [];
  const asked: string[] = [];
  const forbidden = new Set<UiWay>();
  const rig: Partial<Rig> & Pick<Rig, "driver"> = { driver };
  const pod = createServer((request, response) => {
    seen.push(request);
    request.resume();
    rig.driver(request, response);
  });
  const podPort = await listen(t, pod);
  const status = (resource: string): string =>
    JSON.stringify({ kind: "Status", code: 403, reason: "Forbidden", message: `no ${resource}` });
  const api = createServer((request, response) => {
    asked.push(request.url ?? "");
    if (forbidden.has("api") || request.url?.startsWith(`${prefix}/`) !== true) {
      response.writeHead(403, { "content-type": "application/json" });
      response.end(status("pods/proxy"));
      return;
    }
    // Adds the proxy prefix to links in HTML that lack it, as the API server does.
    const passed = httpRequest(
      {
        ...{ host: "127.0.0.1", port: podPort, method: request.method },
        ...{ path: request.url.slice(prefix.length), headers: request.headers },
      },
      (answer) => {
        const isHtml = answer.headers["content-type"]?.startsWith("text/html") === true;
        const { location } = answer.headers;
        const headers = { ...answer.headers };
        if (location?.startsWith("/") === true)
          headers.location = `http://${request.headers.host ?? ""}${prefix}${location}`;
        if (!isHtml) {
          response.writeHead(answer.statusCode ?? 0, headers);
          answer.pipe(response);
          return;
        }
        delete headers["content-length"];
        let html = "";
        answer.on("data", (chunk: Buffer) => (html += chunk.toString()));
        answer.on("end", () => {
          response.writeHead(answer.statusCode ?? 0, headers);
          response.end(html.replace(/(href|src)="(\/[^"]*)"/g, `$1="${prefix}$2"`));
        });
      },
    );
    response.on("close", () => passed.destroy());
    const fail = (text: string): void => {
      response.writeHead(502, { "content-type": "application/json" });
      response.end(JSON.stringify({ kind: "Status", code: 502, message: text }));
    };
    passed.on("error", ({ message: text }) => {
      fail(text);
    });
    passed.on("upgrade", (_answer, socket) => {
      socket.destroy();
      fail("backend tried to switch protocol");
    });
    request.pipe(passed);
  });
  api.on("upgrade", (request, socket: Duplex) => {
    socket.on("error", () => undefined);
    asked.push(request.url ?? "");
    if (forbidden.has("forward")) {
      const body = status("pods/portforward");
      socket.end(
        `HTTP/1.1 403 Forbidden\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
      return;
    }
    acceptStream(request, socket);
    const port = Buffer.from([0xc8, 0x0f]);
    socket.write(Buffer.concat([message(0, port), message(1, port)]));
    const target = connect(podPort, "127.0.0.1");
    target.on("error", () => socket.write(message(1, "connect: connection refused")));
    target.on("data", (bytes) => socket.write(message(0, bytes)));
    target.on("end", () => socket.write(goodbye));
    const reader = new MaskedReader();
    socket.on("data", (bytes: Buffer) => {
      for (const payload of reader.push(bytes)) target.write(payload.subarray(1));
    });
    socket.on("close", () => target.destroy());
  });
  const url = `http://127.0.0.1:${await listen(t, api)}`;
  const { connection, folder } = await connectTo(t, url);
  const clusters = openClusters({
    ...{ clock: realClock, random: () => 0, env: {}, homeDirectory: folder },
    ...{ userAgent: "contract-test/1", log: () => undefined },
  });
  t.after(() => {
    clusters.dispose();
  });
  const problems: UiProblem[] = [];
  const kills: KillTarget[] = [];
  const lines: string[] = [];
  const proxy = await clusters.serveUi({
    place: () =>
      Promise.resolve(
        ok({
          pod: { namespace: "ns", name: "driver", port: 4040 },
          ports: connection.ports,
          pages: connection.passedPages,
        }),
      ),
    mayKill: (target) => {
      kills.push(target);
      return Promise.resolve(rig.mayKill === true);
    },
    explain: (problem) => {
      problems.push(problem);
      return Promise.resolve(`<b>${problem.kind}</b>`);
    },
    log: (line) => {
      lines.push(line);
    },
  });
  return Object.assign(rig, {
    ...{ proxy, seen, asked, problems, kills, forbidden, lines, mayKill: false },
    get: (path: string, headers = {}, method = "GET") =>
      ask(proxy, proxy.root + path, headers, method),
  });
}

async function listen(t: TestContext, server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function ask(
  { port }: UiProxy,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = "GET",
  body?: string,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: "127.0.0.1", port, path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("error", reject);
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const { statusCode = 0, headers: own } = response;
        resolve({ status: statusCode, headers: own, body: Buffer.concat(chunks).toString() });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

const html: RequestListener = (request, response) => {
  const context = String(request.headers["x-forwarded-context"]);
  response.setHeader("content-type", "text/html;charset=utf-8");
  response.setHeader("x-frame-options", "SAMEORIGIN");
  response.setHeader(
    "content-security-policy",
    "default-src 'self'; script-src 'self' 'nonce-1'; frame-ancestors 'self'",
  );
  response.end(`<a href="${context}/stages/">x</a><script>setUIRoot('${context}')</script>`);
};

for (const way of ["forward", "api"] as const) {
  describe(`Spark UI through ${way === "api" ? "the API server's proxy" : "a port forward"}`, () => {
    const startBy = async (t: TestContext, driver: RequestListener): Promise<Rig> => {
      const rig = await start(t, driver);
      rig.forbidden.add(way === "api" ? "forward" : "api");
      return rig;
    };

    test("shows a page with links below the secret, which other pages may frame", async (t) => {
      const rig = await startBy(t, html);
      const { status, headers, body } = await rig.get("/jobs/?a=1%2F2");
      const { root } = rig.proxy;
      assert.equal(status, 200);
      assert.equal(body, `<a href="${root}/stages/">x</a><script>setUIRoot('${root}')</script>`);
      assert.match(root, /^\/[\da-f]{32}$/);
      assert.equal(headers["x-frame-options"], undefined);
      const policy = String(headers["content-security-policy"]);
      assert.match(policy, /'nonce-1'/);
      assert.doesNotMatch(policy, /frame-ancestors/);
      assert.equal(rig.seen[0]?.url, "/jobs/?a=1%2F2");
      assert.equal(rig.proxy.way, way);
    });

    test("sends the driver no cookie, origin, forwarding header or credentials of the page", async (t) => {
      const rig = await startBy(t, html);
      await rig.get("/jobs/", {
        ...{ cookie: "a=b", origin: "http://evil.example", referer: "http://evil.example/" },
        ...{ "x-forwarded-host": "evil.example", "x-forwarded-context": "/evil" },
        ...{ authorization: "Bearer PAGE", "impersonate-user": "admin", forwarded: "for=1" },
      });
      const headers = rig.seen[0]?.headers ?? {};
      for (const name of ["cookie", "origin", "referer", "x-forwarded-host", "impersonate-user"]) {
        assert.equal(headers[name], undefined, name);
      }
      assert.equal(headers["x-forwarded-context"], rig.proxy.root);
      assert.equal(headers.authorization, undefined);
      assert.equal(headers["accept-encoding"], "gzip");
    });

    test("drops cookies, HSTS, refreshes and cross-origin permissions of the driver", async (t) => {
      const rig = await startBy(t, (_request, response) => {
        response.writeHead(200, {
          ...{ "set-cookie": "a=b", "strict-transport-security": "max-age=9" },
          ...{ refresh: "0; url=http://evil.example/", "access-control-allow-origin": "*" },
          ...{ "clear-site-data": "*", "service-worker-allowed": "/", link: "<http://evil>" },
          ...{ "www-authenticate": "Basic", "content-type": "text/plain" },
        });
        response.end("x");
      });
      const { headers } = await rig.get("/jobs/");
      const allowed =
        /^(?:content-|cross-origin-resource-policy|referrer-policy|x-content-type|x-dns|date|connection|keep-alive|transfer-encoding)/;
      assert.deepEqual(
        Object.keys(headers).filter((name) => !allowed.test(name)),
        [],
      );
      assert.match(
        String(headers["content-security-policy"]),
        /default-src 'self'.*connect-src 'self'/,
      );
    });

    test("keeps a redirect of the driver on its own pages, by path", async (t) => {
      let location = "";
      const rig = await startBy(t, (request, response) => {
        const own = `http://${request.headers.host ?? ""}`;
        response.writeHead(302, { location: location.replace("OWN", own) });
        response.end();
      });
      const { root } = rig.proxy;
      const expected = new Map<string, string | undefined>([
        ["OWN/jobs/", `${root}/jobs/`],
        ["/jobs/?id=1", `${root}/jobs/?id=1`],
        ["http://evil.example/jobs/", undefined],
        ["https://evil.example:4440/", undefined],
        ["//evil.example/", undefined],
        ["/\\evil.example/", undefined],
        ["javascript:alert(1)", undefined],
        ["OWN@evil.example/", undefined],
        ["/a/../../x", undefined],
        ["/%2e%2e/x", undefined],
      ]);
      for (const [sent, target] of expected) {
        location = sent;
        const answer = await rig.get("/");
        assert.equal(answer.headers.location, target, sent);
        assert.equal(answer.status, target === undefined ? 502 : 302, sent);
      }
      assert.equal(rig.problems[0]?.kind, "elsewhere");
    });

    test("no path leaves the driver", async (t) => {
      const rig = await startBy(t, html);
      const paths = [
        "/../../../../secrets",
        "/..%2f..%2fsecrets",
        "/%2e%2e/%2e%2e/secrets",
        "/a/..%5c..%5cx",
        "/..%252f..%252fsecrets",
        "//evil.example/",
        "/x%00",
        "/a/./b",
        "/%zz",
      ];
      for (const path of paths) assert.equal((await rig.get(path)).status, 404, path);
      assert.equal(
        (await ask(rig.proxy, `http://evil.example${rig.proxy.root}/jobs/`)).status,
        404,
      );
      assert.deepEqual([rig.seen.length, rig.asked], [0, []]);
    });

    test("an answer without end stops when the browser leaves", async (t) => {
      const driver = { isClosed: false };
      const rig = await startBy(t, (_request, response) => {
        response.writeHead(200, { "content-type": "text/plain" });
        const block = Buffer.alloc(1 << 16);
        const pump = (): void => {
          while (response.write(block));
        };
        response.on("drain", pump);
        response.on("close", () => (driver.isClosed = true));
        pump();
      });
      const { port, root } = rig.proxy;
      const socket = connect(port, "127.0.0.1");
      socket.write(`GET ${root}/jobs/ HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`);
      await once(socket, "data");
      socket.destroy();
      const end = Date.now() + 20_000;
      while (!driver.isClosed && Date.now() < end) await wait(10);
      assert.ok(driver.isClosed, "the driver still sends");
    });

    test("huge headers and an unasked upgrade of the driver give an error page", async (t) => {
      const rig = await startBy(t, (_request, response) => {
        response.writeHead(200, { x: "y".repeat(100_000) });
        response.end();
      });
      assert.equal((await rig.get("/jobs/")).status, 502);
      rig.driver = (_request, response) => {
        response.socket?.end(
          "HTTP/1.1 101 Switching\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n",
        );
      };
      assert.equal((await rig.get("/jobs/")).status, 502);
      rig.driver = html;
      assert.equal((await rig.get("/jobs/")).status, 200);
    });

    test("passes a kill only after a question", async (t) => {
      const rig = await startBy(t, html);
      const form = "csrfToken=abc&id=7";
      const kill = (): Promise<Answer> =>
        ask(
          rig.proxy,
          `${rig.proxy.root}/jobs/job/kill/`,
          { "sec-fetch-site": "same-origin" },
          "POST",
          form,
        );
      assert.equal((await kill()).headers.location, `${rig.proxy.root}/jobs/`);
      assert.deepEqual([rig.kills, rig.seen.length], [[{ what: "job", id: 7 }], 0]);
      rig.mayKill = true;
      assert.equal((await kill()).status, 200);
      assert.equal(rig.seen[0]?.method, "POST");
      // Spark 3.5 kills through a link instead of a form.
      assert.equal((await rig.get("/stages/stage/kill/?id=3")).status, 200);
      assert.deepEqual(rig.kills.at(-1), { what: "stage", id: 3 });
      // A link on another site must not kill anything.
      const foreign = await rig.get("/jobs/job/kill/?id=7", { "sec-fetch-site": "cross-site" });
      assert.equal(foreign.status, 303);
      assert.equal(rig.kills.length, 3);
    });

    test("refuses a form that is longer than Spark's", async (t) => {
      const rig = await startBy(t, html);
      rig.mayKill = true;
      const kill = (size: number): Promise<Answer> => {
        const form = "id=7&x=".padEnd(size, "y");
        return ask(rig.proxy, `${rig.proxy.root}/jobs/job/kill/`, {}, "POST", form);
      };
      assert.equal((await kill(4_096)).status, 200);
      assert.equal((await kill(4_097)).status, 413);
      assert.equal(rig.kills.length, 1);
      assert.equal(rig.seen.length, 1);
    });

    test("refuses other methods and other kill paths", async (t) => {
      const rig = await startBy(t, html);
      rig.mayKill = true;
      for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
        assert.equal((await rig.get("/jobs/", {}, method)).status, 405, method);
      }
      for (const path of [
        "/jobs/job/kill/x?id=1",
        "/jobs/job/%6bill/?id=1",
        "/jobs/job/kill/",
        "/jobs/job/kill/?id=1&id=2",
      ]) {
        assert.equal((await rig.get(path)).status, 404, path);
      }
      assert.equal(rig.seen.length, 0);
    });
  });
}

describe("Spark UI", () => {
  test("another page cannot use the port: name, secret, WebSocket and service workers are refused", async (t) => {
    const rig = await start(t, html);
    const { port, root } = rig.proxy;
    const rebound = await rig.get("/jobs/", { host: `evil.example:${port}` });
    assert.equal(rebound.status, 421);
    for (const path of [
      "/",
      "/jobs/",
      `/${"0".repeat(32)}/jobs/`,
      `${root}x/jobs/`,
      root.slice(0, -1),
    ]) {
      assert.equal((await ask(rig.proxy, path)).status, 404, path);
    }
    assert.equal((await rig.get("/sw.js", { "service-worker": "script" })).status, 403);
    const socket = connect(port, "127.0.0.1");
    socket.write(
      `GET ${root}/ws HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`,
    );
    const [reply] = (await once(socket, "data")) as [Buffer];
    assert.match(reply.toString(), /^HTTP\/1\.1 403/);
    assert.equal(rig.seen.length, 0);
    rig.proxy.accept("tunnel.example");
    assert.equal((await rig.get("/jobs/", { host: "tunnel.example" })).status, 200);
    assert.equal((await rig.get("/jobs/", { host: `localhost:${port}` })).status, 200);
  });

  test("fails over to the other way after 403, and says so when both are forbidden", async (t) => {
    const rig = await start(t, html);
    assert.equal((await rig.get("/jobs/")).status, 200);
    assert.equal(rig.proxy.way, "forward");
    const second = await start(t, html);
    second.forbidden.add("forward").add("api");
    const refused = await second.get("/jobs/");
    assert.equal(refused.status, 502);
    assert.deepEqual(second.problems, [{ kind: "forbidden", namespace: "ns" }]);
    assert.match(refused.body, /&lt;b&gt;forbidden/);
    second.forbidden.delete("api");
    assert.deepEqual(second.lines, []);
    assert.equal((await second.get("/jobs/")).status, 200);
    assert.equal(second.proxy.way, "api");
    assert.match(second.lines.join("\n"), /^Spark UI: .*; using the other route$/);
    second.forbidden.delete("forward");
    second.forbidden.add("api");
    assert.equal((await second.get("/jobs/")).status, 200);
    assert.equal(second.proxy.way, "forward");
  });

  test("a page that reloads itself tells that nothing listens yet", async (t) => {
    const rig = await start(t, (request) => {
      request.socket.destroy();
    });
    assert.equal((await rig.get("/jobs/")).status, 502);
    rig.driver = html;
    assert.equal((await rig.get("/jobs/")).status, 200);
  });

  test("reads an answer to its end when the browser leaves", async (t) => {
    const answer = { hasFinished: false, hasBroken: false };
    const rig = await start(t, (_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write("[".padEnd(200_000));
      response.on("close", () => (answer.hasBroken ||= !response.writableFinished));
      setTimeout(() => {
        response.end("]".padEnd(2 << 20), () => (answer.hasFinished = true));
      }, 100);
    });
    const { port, root } = rig.proxy;
    const socket = connect(port, "127.0.0.1");
    socket.write(`GET ${root}/api/v1/x HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`);
    await once(socket, "data");
    socket.destroy();
    while (!answer.hasFinished && !answer.hasBroken) await wait(5);
    assert.ok(answer.hasFinished && !answer.hasBroken);
  });

  test("passes gzip on, and inflates only HTML that the API server has rewritten", async (t) => {
    const rig = await start(t, (_request, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      response.end(gzipSync('{"a":1}'));
    });
    const answer = await rig.get("/api/v1/x");
    assert.equal(answer.headers["content-encoding"], "gzip");
  });
});
