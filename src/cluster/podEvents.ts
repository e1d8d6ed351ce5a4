import { err, ok, type Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import type { PodEventSource, PodName } from "../engine/ports/reports.ts";
import {
  decodePodEvent,
  newestEventFirst,
  type PodEventRecord,
} from "../spark/diagnosis/podEventRecord.ts";
import type { RelatedObject } from "../spark/diagnosis/relatedObjects.ts";
import type { ApiClient } from "./apiRequest.ts";
import { fieldAt, listAt, nonEmptyTextAt } from "../base/json.ts";
import { findResource, pathOf, queryOf } from "./resources.ts";

// Older events beyond this number are dropped, because they mostly repeat the newer ones.
const maxEvents = 100;
// Events are listed by name, so the newest may be on the last page. The page limit bounds the number of requests.
const pageSize = 100;
const maxPages = 10;

export class ApiPodEvents implements PodEventSource {
  readonly #api: ApiClient;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  async eventsOf(
    { namespace, uid }: PodName,
    related: readonly RelatedObject[],
    signal: AbortSignal,
  ): Promise<Result<readonly PodEventRecord[], ClusterError>> {
    const own = await this.#list(namespace, `involvedObject.uid=${uid}`, () => true, signal);
    if (!own.ok) return own;
    const events = [...own.value];
    for (const { kind, name, isPrefix } of related) {
      const selector = `involvedObject.kind=${kind}${isPrefix ? "" : `,involvedObject.name=${name}`}`;
      const isAbout = (event: unknown): boolean => {
        const about = fieldAt(fieldAt(event, "involvedObject"), "name");
        return typeof about === "string" && (isPrefix ? about.startsWith(name) : about === name);
      };
      const found = await this.#list(namespace, selector, isAbout, signal);
      if (!found.ok) return found;
      events.push(...found.value);
    }
    return ok(events.sort(newestEventFirst).slice(0, maxEvents));
  }

  async #list(
    namespace: string,
    fieldSelector: string,
    isAbout: (event: unknown) => boolean,
    signal: AbortSignal,
  ): Promise<Result<readonly PodEventRecord[], ClusterError>> {
    const resource = findResource("v1", "Event");
    const path = resource.ok ? pathOf(resource.value, namespace, undefined) : resource;
    if (!path.ok) return path;
    const events: PodEventRecord[] = [];
    let token: string | undefined;
    for (let page = 0; page < maxPages; page += 1) {
      const query = { fieldSelector, limit: String(pageSize), continue: token };
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
      events.push(...listAt(answer.value, "items").filter(isAbout).map(decodePodEvent));
      token = nonEmptyTextAt(fieldAt(answer.value, "metadata"), "continue");
      if (!token) break;
    }
    return ok(events);
  }
}
