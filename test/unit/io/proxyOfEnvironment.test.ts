import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { endpointPortOf, endpointText, hostOf } from "../../../src/io/http/endpoint.ts";
import {
  parseProxy,
  proxyOfEnvironment,
  type ProxyEnvironment,
} from "../../../src/io/proxy/proxyOfEnvironment.ts";
import { proxyAuthorization } from "../../../src/io/proxy/tunnel.ts";

const proxyFor = (server: string, env: ProxyEnvironment): string => {
  const route = proxyOfEnvironment(new URL(server), env);
  return route === undefined ? "none" : `${route.kind} ${route.url.host}`;
};

describe("the proxy of the environment", () => {
  for (const [server, env, expected] of [
    ["https://a.example", {}, "none"],
    ["https://a.example", { HTTPS_PROXY: "http://p:1" }, "http p:1"],
    ["https://a.example", { https_proxy: "http://p:1" }, "http p:1"],
    ["https://a.example", { HTTPS_PROXY: "http://p:1", https_proxy: "http://q:1" }, "http p:1"],
    ["https://a.example", { HTTPS_PROXY: "", https_proxy: "http://q:1" }, "none"],
    ["https://a.example", { HTTP_PROXY: "http://p:1" }, "none"],
    ["http://a.example", { HTTP_PROXY: "http://p:1" }, "http p:1"],
    ["http://a.example", { HTTPS_PROXY: "http://p:1" }, "none"],
    ["https://a.example", { HTTPS_PROXY: "p:1" }, "http p:1"],
    ["https://a.example", { HTTPS_PROXY: "https://p:1" }, "http p:1"],
    ["https://a.example", { HTTPS_PROXY: "socks5://p:1" }, "socks5 p:1"],
    ["https://a.example", { HTTPS_PROXY: "socks5h://p:1" }, "socks5 p:1"],
    ["https://a.example", { HTTPS_PROXY: "socks4://p:1" }, "none"],
    ["https://a.example", { HTTPS_PROXY: "http://" }, "none"],
    ["https://localhost", { HTTPS_PROXY: "http://p:1" }, "none"],
    ["https://localhost.", { HTTPS_PROXY: "http://p:1" }, "none"],
    ["https://127.0.0.9", { HTTPS_PROXY: "http://p:1" }, "none"],
    ["https://[::1]", { HTTPS_PROXY: "http://p:1" }, "none"],
    ["https://127.example", { HTTPS_PROXY: "http://p:1" }, "http p:1"],
    ["https://128.0.0.1", { HTTPS_PROXY: "http://p:1" }, "http p:1"],
    ["https://xlocalhost", { HTTPS_PROXY: "http://p:1" }, "http p:1"],
  ] as const) {
    test(`of ${server} with ${JSON.stringify(env)}: ${expected}`, () => {
      assert.equal(proxyFor(server, env), expected);
    });
  }

  for (const [noProxy, server, isExempt] of [
    ["*", "https://a.example", true],
    ["b.example, a.example", "https://a.example", true],
    ["A.EXAMPLE", "https://a.example", true],
    ["a.example", "https://a.example.", true],
    ["a.example", "https://x.a.example", true],
    ["a.example", "https://xa.example", false],
    ["a.example", "https://example", false],
    [".a.example", "https://x.a.example", true],
    [".a.example", "https://a.example", false],
    ["*.a.example", "https://x.a.example", true],
    ["*.a.example", "https://a.example", false],
    ["a.example:443", "https://a.example", true],
    ["a.example:8443", "https://a.example", false],
    ["a.example:8443", "https://x.a.example:8443", true],
    ["a.example:80", "http://a.example", true],
    ["10.0.0.1", "https://10.0.0.1", true],
    ["10.0.0.1", "https://10.0.0.10", false],
    ["10.0.0.1:443", "https://10.0.0.1", true],
    ["10.0.0.1:444", "https://10.0.0.1", false],
    ["[2001:db8::1]", "https://[2001:db8::1]", true],
    ["2001:db8::1", "https://[2001:db8::1]", true],
    ["[2001:db8::1]:443", "https://[2001:db8::1]", true],
    ["2001:db8::2", "https://[2001:db8::1]", false],
    ["10.0.0.0/8", "https://10.1.2.3", true],
    ["10.0.0.0/8", "https://11.1.2.3", false],
    ["10.0.0.1/32", "https://10.0.0.1", true],
    ["10.0.0.0/33", "https://10.0.0.1", false],
    ["10.0.0.0/x", "https://10.0.0.1", false],
    ["10.0.0.0/", "https://10.0.0.1", false],
    ["x/8", "https://10.0.0.1", false],
    ["x/8", "https://a.example", false],
    ["10.0.0.0/8", "https://a.example", false],
    ["2001:db8::/32", "https://[2001:db8::1]", true],
    ["2001:db8::/128", "https://[2001:db8::]", true],
    ["2001:db8::/129", "https://[2001:db8::]", false],
    ["2001:db8::/32", "https://10.0.0.1", false],
    ["0.0.0.0/0", "https://10.0.0.1", true],
    [",,", "https://a.example", false],
    ["", "https://a.example", false],
  ] as const) {
    test(`NO_PROXY=${noProxy} ${isExempt ? "exempts" : "does not exempt"} ${server}`, () => {
      const proxy = { HTTPS_PROXY: "http://p:1", HTTP_PROXY: "http://p:1" };
      const expected = isExempt ? "none" : "http p:1";
      assert.equal(proxyFor(server, { ...proxy, NO_PROXY: noProxy }), expected);
      assert.equal(proxyFor(server, { ...proxy, no_proxy: noProxy }), expected);
    });
  }

  test("is undefined if its text is no URL with a host", () => {
    for (const text of ["", "p", "http:", "ftp://p", "file:///p"]) {
      assert.equal(parseProxy(text), undefined, text);
    }
  });
});

describe("an endpoint", () => {
  test("has the port of its URL, or the default port of its scheme", () => {
    const ports = [
      ...["https://a", "http://a", "socks5://a", "socks5h://a", "other://a"],
      ...["https://a:8443", "http://a:443", "https://a:443"],
    ].map((url) => endpointPortOf(new URL(url)));
    assert.deepEqual(ports, [443, 80, 1080, 1080, 443, 8443, 443, 443]);
  });

  test("has a host without brackets", () => {
    assert.equal(hostOf(new URL("https://[::1]:1")), "::1");
    assert.equal(hostOf(new URL("https://a.example")), "a.example");
  });

  test("is shown without a user and a password", () => {
    assert.equal(endpointText(new URL("https://u:p@a:1/x/?q#h")), "https://a:1/x");
    assert.equal(endpointText(new URL("https://a/")), "https://a");
  });
});

test("the user of a proxy is sent as basic authorization", () => {
  assert.deepEqual(proxyAuthorization(new URL("http://p")), {});
  const header = `Basic ${Buffer.from("ü:p@ss").toString("base64")}`;
  const url = new URL("http://%C3%BC:p%40ss@p");
  assert.deepEqual(proxyAuthorization(url), { "proxy-authorization": header });
});
