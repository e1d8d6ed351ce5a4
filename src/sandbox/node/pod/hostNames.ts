import { fieldsOf } from "../../../base/json.ts";
import type { KubeObject } from "../../kubeObject.ts";
import type { HostNames } from "../paths/rewriteText.ts";
import { matchesNodeSelector } from "../schedule/fits.ts";
import type { PodPlace, PodWorld } from "./world.ts";

/**
 * Maps the DNS name of each Service to the address of one of its pods. Omits Services without a selector or a running
 * pod. Maps `kubernetes.default.svc` to the host and port of the API server.
 */
export function hostNames(world: PodWorld, place: PodPlace): HostNames {
  const names = new Map<string, string>();
  const pods = world.objects.list("pods");
  for (const service of world.objects.list("services")) {
    const selector = fieldsOf(fieldsOf(service["spec"])["selector"]);
    if (Object.keys(selector).length === 0) continue;
    const { name, namespace = "" } = service.metadata;
    const behind = pods.find(
      (pod) =>
        pod.metadata.namespace === namespace &&
        addressOf(pod, world, place) !== undefined &&
        matchesNodeSelector({ matchLabels: selector }, fieldsOf(pod.metadata.labels)),
    );
    const address = behind === undefined ? undefined : addressOf(behind, world, place);
    if (address !== undefined) names.set(`${name}.${namespace}.svc`, address);
  }
  names.set("kubernetes.default.svc", new URL(world.api.url).host);
  return names;
}

const addressOf = (pod: KubeObject, world: PodWorld, place: PodPlace): string | undefined =>
  pod.metadata.uid === place.pod.metadata.uid ? place.address : world.addressOf(pod);
