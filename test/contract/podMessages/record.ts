// Records the same pods from a real API server as JSON and protobuf, and its error responses: `KUBECONFIG=… node
// test/contract/podMessages/record.ts`.
import { writeFileSync } from "node:fs";
import { request } from "node:https";
import { realServer } from "../kubeApi/runAll.ts";
import { podSpecs, podStatuses } from "./pods.ts";

const messagesType = "application/vnd.kubernetes.protobuf";
const json = "application/json";
const namespace = `messages-${process.pid}`;
const server = await realServer();
const core = "/api/v1/namespaces";
const pods = `${core}/${namespace}/pods`;

interface Question {
  readonly accept?: string;
  readonly token?: string;
  readonly body?: unknown;
  readonly type?: string;
  /** Closes a streaming response once it contains this text. */
  readonly until?: string;
}

function ask(method: string, path: string, question: Question = {}): Promise<Buffer> {
  const { accept = json, token = server.token, body, type = json, until } = question;
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, accept, "content-type": type };
    const options = { method, headers, ...(server.ca && { ca: server.ca }) };
    const asked = request(new URL(path, server.url), options, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        if (until === undefined || !Buffer.concat(chunks).includes(until)) return;
        resolve(Buffer.concat(chunks));
        answer.destroy();
      });
      answer.on("end", () => {
        resolve(Buffer.concat(chunks));
      });
      answer.on("error", reject);
    });
    asked.on("error", reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

await ask("POST", core, { body: { metadata: { name: namespace } } });
await ask("POST", `${core}/${namespace}/serviceaccounts`, {
  body: { metadata: { name: "default" } },
});
for (const pod of podSpecs) {
  const made = await ask("POST", pods, { body: pod });
  if (!made.includes('"uid"')) throw new Error(made.toString());
}
const patchType = "application/merge-patch+json";
for (const [name, status] of Object.entries(podStatuses)) {
  await ask("PATCH", `${pods}/${name}/status`, { body: { status }, type: patchType });
}
await ask("DELETE", `${pods}/leaving`);

const list = JSON.parse((await ask("GET", pods)).toString()) as { readonly items: unknown };
const streamed =
  "watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
const until = "k8s.io/initial-events-end";
const watch = await ask("GET", `${pods}?${streamed}`, { accept: messagesType, until });
const old = `${pods}?watch=true&resourceVersion=1`;
const refusals = await Promise.all(
  [
    { path: "/api/v1/namespaces/none/pods/none", token: server.token },
    { path: pods, token: "nobody" },
    { path: `${pods}?labelSelector=a%20b%20c`, token: server.token },
  ].map(async ({ path, token }) => ({
    status: JSON.parse((await ask("GET", path, { token })).toString()) as unknown,
    message: (await ask("GET", path, { token, accept: messagesType })).toString("base64"),
  })),
);
const expired = {
  event: JSON.parse((await ask("GET", old)).toString()) as unknown,
  watch: (await ask("GET", old, { accept: messagesType })).toString("base64"),
};
const told = { pods: list.items, watch: watch.toString("base64"), refusals, expired };
writeFileSync(new URL("recorded.json", import.meta.url), `${JSON.stringify(told, undefined, 1)}\n`);
await ask("DELETE", `${core}/${namespace}`);
console.log(`${podSpecs.length} pods`);
