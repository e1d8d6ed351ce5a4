import { msg, type Message } from "../../base/message.ts";
import type { PodRecord } from "../pods/podRecord.ts";
import { describeBytes } from "../binarySize.ts";
import { podAmount } from "../podAmount.ts";
import { parseQuantity } from "../quantity.ts";

/**
 * Returns the effective resource request of a pod in the resource's base unit, such as bytes or cores. 0 without a
 * request.
 */
export function requestOf(pod: PodRecord, resource: string): number {
  const amounts = ({ requests }: PodRecord["containers"][number]): number =>
    parseQuantity(requests?.[resource] ?? "") ?? 0;
  return podAmount(
    pod.containers.map(amounts),
    pod.initContainers.map((container) => ({
      amount: amounts(container),
      isSidecar: container.isSidecar === true,
    })),
  );
}

export const describeText = (quantity: string | undefined): string | undefined => {
  const bytes = quantity === undefined ? undefined : parseQuantity(quantity);
  return bytes === undefined ? undefined : describeBytes(bytes);
};

/** Formats cores for messages: `1 core`, `0.5 cores`. */
export const describeCores = (cores: number): Message =>
  cores === 1 ? msg("1 core") : msg`${Number(cores.toFixed(2))} cores`;
