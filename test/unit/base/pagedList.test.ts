import assert from "node:assert/strict";
import { test } from "node:test";
import { PagedList } from "../../../src/base/pagedList.ts";

const small = { pages: 3, items: 10, bytes: 100 };

test("refuses a repeated continue token, a page above the limit and a long token", () => {
  const list = new PagedList(small);
  assert.equal(list.follow("a"), undefined);
  assert.match(list.follow("a") ?? "", /repeats a page/);
  assert.equal(list.follow("b"), undefined);
  assert.match(list.follow("c") ?? "", /more than 3 pages/);
  assert.match(new PagedList(small).follow("x".repeat(20_000)) ?? "", /too long/);
});

test("refuses more objects or bytes than allowed over all pages", () => {
  const list = new PagedList(small);
  assert.equal(list.take(5, 50), undefined);
  assert.equal(list.take(5, 50), undefined);
  assert.match(list.take(1) ?? "", /more than 10 objects/);
  assert.match(new PagedList(small).take(0, 101) ?? "", /more than .* MB/);
});

test("accepts the pages of 50,000 pods with the default limits", () => {
  const list = new PagedList();
  for (let page = 0; page < 200; page += 1) {
    assert.equal(list.take(250, 250 * 20_000), undefined);
    assert.equal(list.follow(`page-${page}`), undefined);
  }
});
