// Makes ready what is to be started for a container: processes of this machine, or a part in a rehearsal.
import { containerEnv } from "../env/containerEnv.ts";
import { holdingsOf } from "../holdings.ts";
import type { LocalImage } from "../image/images.ts";
import type { LogWriter } from "../logs/logFiles.ts";
import type { ContainerRun } from "../run/containerRun.ts";
import { findProgram, LocalRun } from "../run/localRun.ts";
import type { ContainerSpec } from "../spec/podSpec.ts";
import { compose, type Composed } from "./compose.ts";
import { factsOf } from "./containerFolder.ts";
import type { PodPlace, PodWorld } from "./world.ts";

export type Prepared =
  | {
      readonly kind: "ready";
      /** Where it may write why it ended. */
      readonly terminationMessage: string | undefined;
      /** Undefined: no command can run beside it. */
      readonly inside: Composed["inside"] | undefined;
      readonly begin: (log: LogWriter, id: string) => ContainerRun;
    }
  /** There is no such program. */
  | { readonly kind: "absent"; readonly message: string };

/** Something that it refers to is not there: it may come. */
export interface Refused {
  readonly kind: "refused";
  readonly message: string;
}

export function prepareContainer(
  container: ContainerSpec,
  attempt: number,
  image: LocalImage,
  world: PodWorld,
  place: PodPlace,
): Promise<Prepared | Refused> {
  return image.kind === "rehearsal"
    ? Promise.resolve(prepareRehearsal(container, image.sparkVersion, world, place))
    : prepareProcess(container, attempt, image, world, place);
}

function prepareRehearsal(
  container: ContainerSpec,
  sparkVersion: string,
  world: PodWorld,
  place: PodPlace,
): Prepared | Refused {
  const { pod, address } = place;
  const holdings = holdingsOf(world.objects, pod.metadata.namespace ?? "");
  const env = containerEnv(container, {}, holdings, factsOf(world, place));
  if (!env.ok) return { kind: "refused", message: env.error };
  const part = { pod, container, sparkVersion, env: env.value, address };
  return {
    kind: "ready",
    terminationMessage: undefined,
    inside: undefined,
    begin: (log) => world.theater.play(part, log),
  };
}

async function prepareProcess(
  container: ContainerSpec,
  attempt: number,
  image: Exclude<LocalImage, { kind: "rehearsal" }>,
  world: PodWorld,
  place: PodPlace,
): Promise<Prepared | Refused> {
  const composed = await compose(container, attempt, image, world, place);
  if (!composed.ok) return { kind: "refused", message: composed.error };
  const { start, inside, terminationMessage } = composed.value;
  const program = await findProgram(start);
  if (program === undefined) {
    const [name = ""] = start.command;
    const what = name.includes("/")
      ? `stat ${name}: no such file or directory`
      : "executable file not found in $PATH";
    const message = `unable to start container process: exec: ${JSON.stringify(name)}: ${what}`;
    return { kind: "absent", message };
  }
  const found = { ...start, command: [program, ...start.command.slice(1)] };
  return {
    kind: "ready",
    terminationMessage,
    inside,
    begin: (log, id) => new LocalRun(found, id, log, world.watchdog(), world.platform),
  };
}
