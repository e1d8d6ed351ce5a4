import { fieldAt, listAt, nonEmptyTextAt } from "../base/json.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import type { Discovery } from "../engine/ports/discovery.ts";
import type { ApiClient } from "./apiRequest.ts";

// At most this many versions of an API group are read; the rest of the server's list is ignored.
const maxVersions = 20;

export class ApiDiscovery implements Discovery {
  readonly #api: ApiClient;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  async serverVersion(signal: AbortSignal): Promise<Result<string, ClusterError>> {
    const answer = await this.#get("/version", signal);
    return answer.ok ? ok(nonEmptyTextAt(answer.value, "gitVersion") ?? "") : answer;
  }

  async versionsOf(
    group: string,
    signal: AbortSignal,
  ): Promise<Result<readonly string[], ClusterError>> {
    const answer = await this.#get(`/apis/${group}`, signal);
    if (!answer.ok) return answer.error.kind === "notFound" ? ok([]) : err(answer.error);
    const preferred = nonEmptyTextAt(fieldAt(answer.value, "preferredVersion"), "version");
    const versions = listAt(answer.value, "versions")
      .slice(0, maxVersions)
      .flatMap((each) => nonEmptyTextAt(each, "version") ?? []);
    return ok(versions.sort((a, b) => Number(b === preferred) - Number(a === preferred)));
  }

  #get(path: string, signal: AbortSignal): Promise<Result<unknown, ClusterError>> {
    return this.#api.request(
      {
        ...{ method: "GET", path, accept: "application/json", body: undefined },
        subject: { verb: "get", resource: path, namespace: undefined, name: "" },
      },
      signal,
    );
  }
}
