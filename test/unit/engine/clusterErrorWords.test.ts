import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import type { ClusterError, ConfigurationProblem } from "../../../src/engine/clusterError.ts";
import { clusterErrorWords, permissionCheckOf } from "../../../src/engine/clusterErrorWords.ts";

const detail = "the server said so";
const denied = 'User "ann" cannot create resource "pods"';
const server = "https://h:6443";
const pod = { resource: "pods", name: "etl", detail };

const configuration = (problem: ConfigurationProblem): ClusterError => ({
  ...{ kind: "configuration", problem, detail },
});

const rows: readonly (readonly [ClusterError, what: string, advice: string | undefined])[] = [
  [
    { kind: "unreachable", server, detail, requestSent: false },
    `the cluster at ${server} did not respond`,
    "Check the network or VPN, then reconnect.",
  ],
  [
    { kind: "unreachable", server, detail, requestSent: true },
    `the cluster at ${server} did not respond`,
    "The request may have been processed. Check the applications before you retry.",
  ],
  [
    { kind: "unreachable", server: undefined, detail, requestSent: true },
    "the cluster did not respond",
    "The request may have been processed. Check the applications before you retry.",
  ],
  [
    { kind: "unauthorized", server, detail },
    `the cluster at ${server} rejected the credentials`,
    "Sign in again the way you do for kubectl, then reconnect.",
  ],
  [
    { kind: "forbidden", verb: "create", resource: "pods", namespace: "dev", detail: denied },
    'user "ann" does not have permission to create pods in namespace "dev"',
    'Ask for the permission, and check it with "kubectl auth can-i create pods -n dev".',
  ],
  [
    { kind: "forbidden", verb: "list", resource: "pods/log", namespace: undefined, detail: denied },
    "you do not have permission to list pods/log in all namespaces",
    'Ask for the permission, and check it with "kubectl auth can-i list pods --subresource=log --all-namespaces".',
  ],
  [
    {
      ...{ kind: "forbidden", verb: "get", resource: "pods/exec", namespace: "dev" },
      detail: 'User "ann" cannot get resource "pods/exec"',
    },
    'user "ann" does not have permission to get and create pods/exec in namespace "dev"',
    'Ask for the permission, and check it with "kubectl auth can-i create pods --subresource=exec -n dev".',
  ],
  [
    { kind: "forbidden", verb: "create", resource: "pods", namespace: "dev", detail },
    "the cluster rejected the request",
    undefined,
  ],
  [{ kind: "notFound", ...pod }, 'the API server found no pods named "etl"', undefined],
  [
    { kind: "conflict", ...pod },
    'the state of pods "etl" is not as expected',
    "It may have been replaced or created by another user. Check it, then try again.",
  ],
  [
    { kind: "protected", ...pod },
    'a PodDisruptionBudget prevents the eviction of pods "etl"',
    "Try again when the pods of the budget are ready.",
  ],
  [{ kind: "invalid", detail, causes: [] }, "the cluster rejected the request", undefined],
  [
    {
      ...{ kind: "invalid", detail },
      causes: [
        { field: "spec.a", message: "is required" },
        { field: "spec.b", message: "Too long." },
      ],
    },
    "the cluster rejected the request",
    "spec.a: Is required. spec.b: Too long.",
  ],
  [{ kind: "expired", detail }, "the requested resource version has expired", "Try again."],
  [{ kind: "throttled", retryAfterMs: 1, detail }, "too many requests", "Try again in a moment."],
  [
    { kind: "badResponse", status: undefined, detail },
    "the cluster's response is invalid",
    undefined,
  ],
  [
    { kind: "badResponse", status: 503, detail },
    "the cluster responded with status 503",
    undefined,
  ],
  [configuration("noKubeconfig"), "no kubeconfig was found", undefined],
  [configuration("invalidKubeconfig"), "the kubeconfig cannot be read", undefined],
  [configuration("noContext"), "the kubeconfig has no such context", undefined],
  [configuration("unsupported"), "the kubeconfig uses an unsupported feature", undefined],
  [configuration("credentials"), "the credentials for the cluster cannot be obtained", undefined],
  [configuration("declined"), "nothing was sent", undefined],
];

test("each error says what failed, why, and what to do", () => {
  for (const [error, what, advice] of rows) {
    const words = clusterErrorWords(error);
    assert.equal(inEnglish(words.what), what);
    const isRepeated = what.includes('"ann"');
    const why = error.detail === denied ? `${denied}.` : "The server said so.";
    assert.equal(inEnglish(words.why), isRepeated ? undefined : why);
    assert.equal(words.advice && inEnglish(words.advice), advice);
    assert.equal(clusterErrorWords({ ...error, detail: "" }).why, undefined);
  }
});

describe("a missing permission", () => {
  const wordsOf = (
    detail: string,
    resource = "pods",
    namespace: string | undefined = "dev",
  ): readonly (string | undefined)[] => {
    const error = { kind: "forbidden", verb: "delete", resource, namespace, detail } as const;
    const { what, why } = clusterErrorWords(error);
    return [inEnglish(what), inEnglish(why)];
  };
  const lacks = 'user "system:serviceaccount:dev:viewer" does not have permission to delete';
  const user = 'User "system:serviceaccount:dev:viewer"';

  test("is said once, with the user", () => {
    const detail = `pods "etl" is forbidden: ${user} cannot delete resource "pods" in API group "" in the namespace "dev"`;
    assert.deepEqual(wordsOf(detail), [`${lacks} pods in namespace "dev"`, undefined]);
    const policy = `${user} cannot delete resource "networkpolicies" in API group "networking.k8s.io" in the namespace "dev"`;
    const resource = "networkpolicies.networking.k8s.io";
    assert.deepEqual(wordsOf(policy, resource), [
      `${lacks} ${resource} in namespace "dev"`,
      undefined,
    ]);
  });

  test("keeps the reason of the authorizer", () => {
    const detail = `${user} cannot delete resource "pods" in API group "" in the namespace "dev": role "ops" not found`;
    assert.deepEqual(wordsOf(detail), [
      `${lacks} pods in namespace "dev"`,
      'Role "ops" not found.',
    ]);
  });

  test("keeps a message about another request", () => {
    const detail = `${user} cannot delete resource "pods" in API group "" in the namespace "other"`;
    assert.deepEqual(wordsOf(detail), [
      'you do not have permission to delete pods in namespace "dev"',
      `${detail}.`,
    ]);
  });

  test("is a missing permission without a reason, as for the second one of a forwarded port", () => {
    const { what, why, advice } = clusterErrorWords({
      ...{ kind: "forbidden", verb: "create", resource: "pods/portforward", namespace: "dev" },
      detail: 'pods "etl" is forbidden: ',
    });
    assert.equal(
      inEnglish(what),
      'you do not have permission to get and create pods/portforward in namespace "dev"',
    );
    assert.equal(why, undefined);
    assert.match(inEnglish(advice) ?? "", /can-i create pods --subresource=portforward -n dev/);
  });

  test("has a command that checks it", () => {
    const error = { kind: "forbidden", verb: "get", resource: "pods", namespace: "dev" } as const;
    assert.equal(
      permissionCheckOf({ ...error, detail: `${user} cannot get resource "pods"` }),
      "kubectl auth can-i get pods -n dev",
    );
    assert.equal(permissionCheckOf({ ...error, detail: "exceeded quota" }), undefined);
  });
});
