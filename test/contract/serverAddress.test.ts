import assert from "node:assert/strict";
import { test } from "node:test";
import { serverAddress } from "../../src/cluster/kubeconfig/serverAddress.ts";

test("different spellings of one server have the same address", () => {
  const same: readonly (readonly string[])[] = [
    [
      ...["https://localhost:6443", "https://127.0.0.1:6443", "https://LOCALHOST:6443/"],
      ...["https://localhost.:6443", "https://[::1]:6443", "https://[0:0:0:0:0:0:0:1]:6443"],
      ...["https://127.1:6443", "https://0x7f000001:6443", "https://2130706433:6443"],
      ...["https://[::ffff:127.0.0.1]:6443", "http://localhost:6443", "https://x.localhost:6443"],
    ],
    ["https://api.Example.com", "https://API.example.com:443/", "https://api.example.com.:443"],
    ["https://10.0.0.1:6443", "https://10.1:6443", "https://[::ffff:10.0.0.1]:6443"],
    ["https://[2001:db8::1]:6443", "https://[2001:DB8:0:0:0:0:0:1]:6443"],
    ["https://rancher/k8s/clusters/c-1", "https://rancher/k8s/clusters/c-1/"],
  ];
  for (const spellings of same) {
    const addresses = new Set(spellings.map(serverAddress));
    assert.equal(addresses.size, 1, [...addresses].join(" "));
    assert.ok(!addresses.has(undefined));
  }
  assert.equal(new Set(same.map(([first = ""]) => serverAddress(first))).size, same.length);
});

test("different servers have different addresses", () => {
  const others = [
    ...["https://127.0.0.1:6443", "https://127.0.0.2:6443", "https://0.0.0.0:6443"],
    ...["https://127.0.0.1:6444", "https://localhost.example.com:6443", "https://127.0.0.1"],
    ...["https://rancher/k8s/clusters/c-1", "https://rancher/k8s/clusters/c-2"],
  ];
  assert.equal(new Set(others.map(serverAddress)).size, others.length);
  for (const text of ["", "127.0.0.1:6443", "ftp://a", "local"])
    assert.equal(serverAddress(text), undefined);
});
