import { problems } from "../plan/problems.ts";
import type { Checked, FindingOrigin } from "../plan/submissionFinding.ts";
import { parseUri } from "../arguments/uri.ts";

interface Master {
  /** The value of `spark.master`, with `k8s://` and a scheme. */
  readonly text: string;
  readonly server: string;
}

/**
 * Parses a Kubernetes master, and adds `https://` if it has no scheme. For an invalid master, returns a finding and an
 * empty server.
 */
export function parseMaster(master: string, origin: FindingOrigin | undefined): Checked<Master> {
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
    // Collapses repeated slashes in the path.
    value: { text: `k8s://${server}`, server: server.replace(/([^:])\/{2,}/g, "$1/") },
    findings: /^http$/i.test(scheme) ? [problems.plainHttp(origin)] : [],
  };
}
