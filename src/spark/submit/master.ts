import { problems } from "./problems.ts";
import type { Checked, Origin } from "./submissionFinding.ts";
import { parseUri } from "./uri.ts";

export interface Master {
  /** As `spark.master` is written: with `k8s://` and a scheme. */
  readonly text: string;
  /** The API server's address. */
  readonly server: string;
}

/** Puts `https://` where a Kubernetes master has no scheme; keeps all else as it was typed. */
export function parseMaster(master: string, origin: Origin | undefined): Checked<Master> {
  const refused = (finding: ReturnType<typeof problems.badMaster>): Checked<Master> => ({
    value: { text: master, server: "" },
    findings: [finding],
  });
  if (master.startsWith("local")) return refused(problems.localMaster(origin));
  if (!master.startsWith("k8s://")) return refused(problems.badMaster(master, origin));
  const rest = master.slice("k8s://".length);
  const server = rest.includes("://") ? rest : `https://${rest}`;
  const scheme = /^([^:/?#]*):\/\//.exec(server)?.[1] ?? "";
  const host = server.slice(`${scheme}://`.length);
  if (!/^https?$/i.test(scheme)) return refused(problems.badMasterScheme(scheme, origin));
  if (host === "" || parseUri(server) === undefined) {
    return refused(problems.badMaster(master, origin));
  }
  if (/[?#]/.test(server)) return refused(problems.masterWithQuery(origin));
  return {
    // Between the parts of a path one slash is as good as more.
    value: { text: `k8s://${server}`, server: server.replace(/([^:])\/{2,}/g, "$1/") },
    findings: /^http$/i.test(scheme) ? [problems.plainHttp(origin)] : [],
  };
}
