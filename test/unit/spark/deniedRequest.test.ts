import assert from "node:assert/strict";
import { test } from "node:test";
import { deniedRequestIn } from "../../../src/spark/deniedRequest.ts";
import { assertLinearInText } from "../../linearTime.ts";

const user = "system:serviceaccount:etl:runner";
const denied = (rest: string): unknown => deniedRequestIn(`User "${user}" cannot ${rest}`);
const request = { user, serviceAccount: "runner", verb: "list", namespace: undefined, reason: "" };

test("reads the user, the permission and the namespace of a refused request", () => {
  const place = 'in API group "" in the namespace "etl"';
  for (const end of ["", "."]) {
    assert.deepEqual(denied(`list resource "pods" ${place}${end}`), {
      ...request,
      ...{ resource: "pods", namespace: "etl" },
    });
  }
  assert.deepEqual(
    denied('list resource "networkpolicies" in API group "networking.k8s.io" at the cluster scope'),
    { ...request, resource: "networkpolicies.networking.k8s.io" },
  );
  assert.deepEqual(denied('create resource "pods/exec"'), {
    ...request,
    ...{ verb: "create", resource: "pods/exec" },
  });
});

test("keeps the reason of the authorizer", () => {
  const place = 'in API group "" in the namespace "etl"';
  assert.deepEqual(denied(`list resource "pods" ${place}: role "ops" not found.`), {
    ...request,
    ...{ resource: "pods", namespace: "etl", reason: 'role "ops" not found.' },
  });
});

test("a namespace that is cut off is a part of the reason", () => {
  assert.deepEqual(denied('list resource "pods" in API group "" in the namespace "et'), {
    ...request,
    ...{ resource: "pods", reason: ' in the namespace "et' },
  });
});

test("a person has no service account", () => {
  const found = deniedRequestIn('x: User "ann" cannot get resource "pods"');
  assert.deepEqual([found?.user, found?.serviceAccount], ["ann", undefined]);
  assert.equal(
    deniedRequestIn('User "system:serviceaccount:etl" cannot get resource "pods"')?.serviceAccount,
    undefined,
  );
});

test("no request is read from a message of another kind", () => {
  for (const text of [
    "",
    'pods "x" is forbidden: exceeded quota: q',
    'User "ann" cannot get path "/"',
    'cannot list resource "pods"',
    `User "${"a".repeat(601)}" cannot list resource "pods"`,
  ]) {
    assert.equal(deniedRequestIn(text), undefined, text);
  }
});

test("reads any text in linear time", () => {
  for (const unit of [
    'User "',
    'User "a" cannot ',
    'User "a" cannot get resource "a"',
    'User "a" cannot get resource "a" in API group "',
    '" in the namespace "',
    "a.",
    " ",
  ]) {
    assertLinearInText(unit, deniedRequestIn);
  }
});
