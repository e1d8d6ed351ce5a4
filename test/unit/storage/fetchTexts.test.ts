import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { test, type TestContext } from "node:test";
import { fetchTexts } from "../../../src/storage/fetchTexts.ts";

const never = new AbortController().signal;

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

test("texts are fetched, each once, and a refusal says what the server said", async (t) => {
  const asked: (string | undefined)[] = [];
  const origin = await serve(t, ({ url }, response) => {
    asked.push(url);
    response.statusCode = url === "/pod.yaml" ? 200 : 404;
    response.end("kind: Pod");
  });
  const found = `${origin}/pod.yaml`;
  const missing = `${origin}/none.yaml`;
  const texts = await fetchTexts([found, missing, found], never);
  assert.deepEqual(texts.get(found), { ok: true, value: "kind: Pod" });
  assert.deepEqual(texts.get(missing), { ok: false, error: "the server answered 404 Not Found" });
  assert.deepEqual(asked.sort(), ["/none.yaml", "/pod.yaml"]);
});

test("a text without end is given up at its limit", async (t) => {
  const origin = await serve(t, (_, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(64 * 1024, " ")));
    };
    response.on("drain", more);
    more();
  });
  const texts = await fetchTexts([origin], never);
  assert.deepEqual(texts.get(origin), { ok: false, error: "it is larger than 1 MiB" });
});

test("what is not text is not taken for one", async (t) => {
  const origin = await serve(t, (_, response) => response.end(Buffer.from([0xff, 0xfe, 0x00])));
  const texts = await fetchTexts([origin], never);
  assert.deepEqual(texts.get(origin), { ok: false, error: "it is not UTF-8 text" });
});

test("a connection that is cut is a refusal too", async (t) => {
  const origin = await serve(t, ({ socket }) => socket.destroy());
  const fetched = (await fetchTexts([origin], never)).get(origin);
  assert.ok(fetched?.ok === false && fetched.error !== "");
});

test("a cancelled submission stops waiting for the answer", async (t) => {
  const cancel = new AbortController();
  const origin = await serve(t, () => {
    cancel.abort();
  });
  await assert.rejects(fetchTexts([origin], cancel.signal), { name: "AbortError" });
});
