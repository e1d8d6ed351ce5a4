import type { IncomingMessage, ServerResponse } from "node:http";
import type { ApiContext } from "../api/context.ts";
import {
  aggregated,
  coreVersions,
  groupList,
  oneGroup,
  openApi,
  openApiIndex,
  openApiV2,
  resourceList,
  versionBody,
} from "../api/discovery.ts";
import { notServed, Refusal } from "../api/refusal.ts";
import type { JsonMembers } from "../kubeObject.ts";
import { sendText } from "./respond.ts";

/** Responds to requests for paths that describe the server: version, discovery, OpenAPI, health. */
export function describeServer(
  { kinds }: ApiContext,
  port: number,
  path: string,
  { headers }: IncomingMessage,
  response: ServerResponse,
): void {
  const wantsAll = headers.accept?.includes("g=apidiscovery.k8s.io") === true;
  const found = ((): JsonMembers | string | undefined => {
    const parts = path.split("/").filter((part) => part !== "");
    const [root = "", one = "", two = ""] = parts;
    if (parts.length === 1 && ["healthz", "readyz", "livez"].includes(root)) return "ok";
    if (path === "/version" || path === "/version/") return versionBody(platform());
    if (root === "api" || root === "apis") {
      if (parts.length === 1) {
        if (wantsAll) return aggregated(kinds, root);
        return root === "api" ? coreVersions(`127.0.0.1:${port}`) : groupList(kinds);
      }
      if (root === "api" && parts.length === 2) return resourceList(kinds, "", one);
      if (parts.length === 2) return oneGroup(kinds, one);
      return parts.length === 3 ? resourceList(kinds, one, two) : undefined;
    }
    if (path === "/openapi/v2") {
      if (headers.accept?.startsWith("application/com.github") !== true) return openApiV2(kinds);
      throw new Refusal(406, "NotAcceptable", "only JSON is supported", {});
    }
    if (path === "/openapi/v3") return openApiIndex(kinds);
    return path.startsWith("/openapi/v3/")
      ? openApi(kinds, path.slice("/openapi/v3/".length))
      : undefined;
  })();
  if (found === undefined) {
    const [, root, group = ""] = path.split("/");
    const isKnown = root === "apis" && oneGroup(kinds, group) !== undefined;
    if (root === "api" || isKnown) throw notServed();
    sendText(response, 404, "404 page not found\n");
  } else if (typeof found === "string") {
    sendText(response, 200, found);
  } else {
    if (wantsAll) response.setHeader("vary", "Accept");
    const type = wantsAll
      ? "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
      : "application/json";
    const text = JSON.stringify(found);
    response.writeHead(200, { "content-type": type, "content-length": Buffer.byteLength(text) });
    response.end(text);
  }
}

function platform(): string {
  const system = process.platform === "win32" ? "windows" : process.platform;
  return `${system}/${process.arch === "x64" ? "amd64" : process.arch}`;
}
