import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { test, type TestContext } from "node:test";
import type { LookupAddress } from "node:dns";
import type { SpecialPlace } from "../../../src/engine/ports/connection.ts";
import { fetchTexts, followed, probeTexts } from "../../../src/storage/fetchTexts.ts";
import { isSpecialAddress } from "../../../src/storage/specialAddress.ts";

const never = new AbortController().signal;
const anywhere = { mayReach: () => Promise.resolve(true) };

async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not listening");
  return `http://127.0.0.1:${address.port}`;
}

test("fetches each text once and reports the server's status on failure", async (t) => {
  const asked: (string | undefined)[] = [];
  const origin = await serve(t, ({ url }, response) => {
    asked.push(url);
    response.statusCode = url === "/pod.yaml" ? 200 : 404;
    response.end("kind: Pod");
  });
  const found = `${origin}/pod.yaml`;
  const missing = `${origin}/none.yaml`;
  const texts = await fetchTexts([found, missing, found], anywhere, never);
  assert.deepEqual(texts.get(found), { ok: true, value: "kind: Pod" });
  assert.deepEqual(texts.get(missing), {
    ok: false,
    error: "the server responded with 404 Not Found",
  });
  assert.deepEqual(asked.sort(), ["/none.yaml", "/pod.yaml"]);
});

test("stops an endless text at 1 MiB", async (t) => {
  const origin = await serve(t, (_, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(64 * 1024, " ")));
    };
    response.on("drain", more);
    more();
  });
  const texts = await fetchTexts([origin], anywhere, never);
  assert.deepEqual(texts.get(origin), { ok: false, error: "it is larger than 1 MiB" });
});

test("returns an error for a body that is not UTF-8", async (t) => {
  const origin = await serve(t, (_, response) => response.end(Buffer.from([0xff, 0xfe, 0x00])));
  const texts = await fetchTexts([origin], anywhere, never);
  assert.deepEqual(texts.get(origin), { ok: false, error: "it is not UTF-8 text" });
});

test("returns an error when the server closes the connection", async (t) => {
  const origin = await serve(t, ({ socket }) => socket.destroy());
  const fetched = (await fetchTexts([origin], anywhere, never)).get(origin);
  assert.ok(fetched?.ok === false && fetched.error !== "");
});

test("rejects with an AbortError when aborted before the response", async (t) => {
  const cancel = new AbortController();
  const origin = await serve(t, () => {
    cancel.abort();
  });
  await assert.rejects(fetchTexts([origin], anywhere, cancel.signal), { name: "AbortError" });
});

test("sends no request to a non-public address when the user declines", async (t) => {
  let requests = 0;
  const origin = await serve(t, (_, response) => {
    requests += 1;
    response.end("kind: Pod");
  });
  const asked: SpecialPlace[] = [];
  const mayReach = (place: SpecialPlace): Promise<boolean> => {
    asked.push(place);
    return Promise.resolve(false);
  };
  const texts = await fetchTexts([origin], { mayReach }, never);
  const error = `requests to ${new URL(origin).host} at 127.0.0.1 were not allowed`;
  assert.deepEqual(texts.get(origin), { ok: false, error });
  assert.deepEqual(asked, [{ origin, address: "127.0.0.1" }]);
  assert.equal(requests, 0);
});

test("prompts again when the host resolves to another address after the prompt", async (t) => {
  let requests = 0;
  const origin = await serve(t, (_, response) => {
    requests += 1;
    response.end();
  });
  const named = origin.replace("127.0.0.1", "rebound.test");
  const answers: readonly string[] = ["10.0.0.1", "127.0.0.1"];
  let lookups = 0;
  const lookup = (): Promise<readonly LookupAddress[]> => {
    const address = answers[lookups] ?? "127.0.0.1";
    lookups += 1;
    return Promise.resolve([{ address, family: 4 }]);
  };
  const asked: string[] = [];
  const mayReach = ({ address }: SpecialPlace): Promise<boolean> => {
    asked.push(address);
    return Promise.resolve(address === "10.0.0.1");
  };
  const text = (await fetchTexts([named], { mayReach, lookup }, never)).get(named);
  assert.equal(text?.ok, false);
  assert.deepEqual(asked, answers);
  assert.equal(requests, 0);
});

test("connects to the address that was checked", async (t) => {
  const origin = await serve(t, (_, response) => response.end("kind: Pod"));
  const named = origin.replace("127.0.0.1", "named.test");
  const lookup = (): Promise<readonly LookupAddress[]> =>
    Promise.resolve([{ address: "127.0.0.1", family: 4 }]);
  const texts = await fetchTexts([named], { ...anywhere, lookup }, never);
  assert.deepEqual(texts.get(named), { ok: true, value: "kind: Pod" });
});

test("checks a redirect target like the first address", async (t) => {
  const inner = await serve(t, (_, response) => response.end("secret"));
  const outer = await serve(t, (_, response) => {
    response.writeHead(302, { location: inner.replace("127.0.0.1", "localhost") });
    response.end();
  });
  const asked: string[] = [];
  const mayReach = ({ origin }: SpecialPlace): Promise<boolean> => {
    asked.push(origin);
    return Promise.resolve(origin === outer);
  };
  const text = (await fetchTexts([outer], { mayReach }, never)).get(outer);
  assert.equal(text?.ok, false);
  assert.deepEqual(asked, [outer, inner.replace("127.0.0.1", "localhost")]);
});

test("returns an error after 5 redirects or for a redirect to another scheme", async (t) => {
  const origin = await serve(t, ({ url }, response) => {
    const location = url === "/file" ? "file:///etc/passwd" : "/again";
    response.writeHead(302, { location });
    response.end();
  });
  const texts = await fetchTexts([origin, `${origin}/file`], anywhere, never);
  assert.deepEqual(texts.get(origin), {
    ok: false,
    error: "the server redirects more than 5 times",
  });
  assert.deepEqual(texts.get(`${origin}/file`), {
    ok: false,
    error: "it is not an http or https address",
  });
});

test("returns an error for a redirect from https to http", () => {
  const from = new URL("https://example.com/a/pod.yaml");
  assert.deepEqual(followed(from, "http://example.com/pod.yaml"), {
    ok: false,
    error: "the server redirects from https to http",
  });
  const next = followed(from, "../b.yaml");
  assert.equal(next.ok && next.value?.href, "https://example.com/b.yaml");
});

test("returns an error for an address with credentials", async () => {
  const address = "https://ada:secret@example.com/pod.yaml";
  assert.deepEqual((await fetchTexts([address], anywhere, never)).get(address), {
    ok: false,
    error: "the address must not contain credentials",
  });
});

test("distinguishes loopback, private and metadata addresses from public ones", () => {
  const special = [
    ...["127.0.0.1", "0.0.0.0", "10.1.2.3", "172.31.0.1", "192.168.1.1", "169.254.169.254"],
    ...["100.100.100.200", "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%eth0"],
    ...["fd00:ec2::254", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "no address"],
  ];
  for (const address of special) assert.ok(isSpecialAddress(address), address);
  for (const address of ["1.1.1.1", "172.32.0.1", "2606:4700::1111", "223.255.255.255"]) {
    assert.ok(!isSpecialAddress(address), address);
  }
});

test("tells missing texts from servers that give no answer, and asks those once", async (t) => {
  let asked = 0;
  const origin = await serve(t, ({ url }, response) => {
    response.statusCode = url === "/found.pom" ? 200 : 404;
    response.end();
  });
  const failing = await serve(t, (_, response) => {
    asked += 1;
    response.statusCode = 503;
    response.end();
  });
  const addresses = [`${origin}/found.pom`, `${origin}/none.pom`, `${failing}/a`, `${failing}/b`];
  const answers = await probeTexts(addresses, anywhere, never);
  assert.deepEqual([...answers.values()], [true, false, undefined]);
  assert.equal(asked, 1);
});

test("does not reach a special address for a text that exists or not without consent", async (t) => {
  const origin = await serve(t, (_, response) => response.end());
  const asked: SpecialPlace[] = [];
  const mayReach = (place: SpecialPlace): Promise<boolean> => {
    asked.push(place);
    return Promise.resolve(false);
  };
  const answers = await probeTexts([`${origin}/a.pom`], { mayReach }, never);
  assert.deepEqual([...answers.values()], [undefined]);
  assert.deepEqual(asked, [{ origin, address: "127.0.0.1" }]);
});
