import assert from "node:assert/strict";
import { test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import type { ClusterError, ConfigurationProblem } from "../../../src/engine/clusterError.ts";
import { clusterErrorWords } from "../../../src/engine/clusterErrorWords.ts";

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
    `the cluster at ${server} did not answer`,
    "Check the network or VPN, then reconnect.",
  ],
  [
    { kind: "unreachable", server, detail, requestSent: true },
    `the cluster at ${server} did not answer`,
    "The request may have been processed. Check the applications before you retry.",
  ],
  [
    { kind: "unauthorized", server, detail },
    `the cluster at ${server} did not accept the credentials`,
    "Sign in again the way you do for kubectl, then reconnect.",
  ],
  [
    { kind: "forbidden", verb: "create", resource: "pods", namespace: "dev", detail: denied },
    'you cannot create pods in namespace "dev"',
    'Ask for the permission, and check it with "kubectl auth can-i create pods -n dev".',
  ],
  [
    { kind: "forbidden", verb: "list", resource: "pods/log", namespace: undefined, detail: denied },
    "you cannot list pods/log in all namespaces",
    'Ask for the permission, and check it with "kubectl auth can-i list pods/log --all-namespaces".',
  ],
  [
    { kind: "forbidden", verb: "create", resource: "pods", namespace: "dev", detail },
    "the cluster refused the request",
    undefined,
  ],
  [{ kind: "notFound", ...pod }, 'there is no pods named "etl"', undefined],
  [
    { kind: "conflict", ...pod },
    'the pods "etl" is in another state than expected',
    "It may have been replaced or created by another user. Check it, then try again.",
  ],
  [
    { kind: "protected", ...pod },
    'a disruption budget protects the pods "etl"',
    "Try again when the pods of the budget are ready.",
  ],
  [{ kind: "invalid", detail, causes: [] }, "the cluster refused the request", undefined],
  [
    {
      ...{ kind: "invalid", detail },
      causes: [
        { field: "spec.a", message: "is required" },
        { field: "spec.b", message: "Too long." },
      ],
    },
    "the cluster refused the request",
    "spec.a: Is required. spec.b: Too long.",
  ],
  [{ kind: "expired", detail }, "the requested resource version has expired", "Try again."],
  [
    { kind: "throttled", retryAfterMs: 1, detail },
    "the cluster is too busy",
    "Try again in a moment.",
  ],
  [
    { kind: "badResponse", status: undefined, detail },
    "the cluster's response is invalid",
    undefined,
  ],
  [{ kind: "badResponse", status: 503, detail }, "the cluster answered with status 503", undefined],
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
    const why = error.detail === denied ? `${denied}.` : "The server said so.";
    assert.equal(inEnglish(words.why), why);
    assert.equal(words.advice && inEnglish(words.advice), advice);
    assert.equal(clusterErrorWords({ ...error, detail: "" }).why, undefined);
  }
});
