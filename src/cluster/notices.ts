import { err, ok, type Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import type { NoticeSource, PodName } from "../engine/ports.ts";
import { decodeNotice, newestNoticeFirst, type PodNotice } from "../spark/diagnosis/podNotice.ts";
import type { ApiClient } from "./apiRequest.ts";
import { fieldOf, listOf, textOf } from "./json.ts";
import { findResource, pathOf, queryOf } from "./resources.ts";

// A pod that has more to tell than this tells the same again and again.
const mostNotices = 100;
// They come in the order of their names, so the newest may stand on the last page; nobody writes us endless ones.
const pageSize = 100;
const mostPages = 10;

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
    const notices: PodNotice[] = [];
    let token: string | undefined;
    for (let page = 0; page < mostPages; page += 1) {
      const query = {
        fieldSelector: `involvedObject.uid=${uid}`,
        limit: String(pageSize),
        continue: token,
      };
      const answer = await this.#api.request(
        {
          method: "GET",
          path: path.value + queryOf(query),
          subject: { verb: "list", resource: "events", namespace, name: "" },
          accept: "application/json",
          body: undefined,
        },
        signal,
      );
      if (!answer.ok) return err(answer.error);
      notices.push(...listOf(answer.value, "items").map(decodeNotice));
      token = textOf(fieldOf(answer.value, "metadata"), "continue");
      if (!token) break;
    }
    return ok(notices.sort(newestNoticeFirst).slice(0, mostNotices));
  }
}
