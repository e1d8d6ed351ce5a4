import { err, ok, type Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import type { NoticeSource, PodName } from "../engine/ports.ts";
import { decodeNotice, newestNoticeFirst, type PodNotice } from "../spark/diagnosis/podNotice.ts";
import type { ApiClient } from "./apiRequest.ts";
import { listOf } from "./json.ts";
import { findResource, pathOf, queryOf } from "./resources.ts";

// A pod that has more to tell than this tells the same again and again.
const mostNotices = 100;

export class ApiNotices implements NoticeSource {
  readonly #api: ApiClient;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  async noticesOf(
    { namespace, uid }: PodName,
    signal: AbortSignal,
  ): Promise<Result<readonly PodNotice[], ClusterError>> {
    const resource = findResource("v1", "Event");
    const path = resource.ok ? pathOf(resource.value, namespace, undefined) : resource;
    if (!path.ok) return path;
    const fieldSelector = `involvedObject.uid=${uid}`;
    const answer = await this.#api.request(
      {
        method: "GET",
        path: path.value + queryOf({ fieldSelector, limit: String(mostNotices) }),
        subject: { verb: "list", resource: "events", namespace, name: "" },
        accept: "application/json",
        body: undefined,
      },
      signal,
    );
    if (!answer.ok) return err(answer.error);
    return ok(listOf(answer.value, "items").map(decodeNotice).sort(newestNoticeFirst));
  }
}
