// Prepares the start of a container as local processes or as a simulation.
import { containerEnv } from "../env/containerEnv.ts";
import { holdingsOf } from "../configSources.ts";
import type { LocalImage } from "../image/images.ts";
import type { LogWriter } from "../logs/logFiles.ts";
import type { ContainerRun } from "../run/containerRun.ts";
import { withTerminal } from "../run/execInside.ts";
import { findProgram, LocalRun } from "../run/localRun.ts";
import type { ContainerSpec } from "../spec/podSpec.ts";
import { compose, type Composed } from "./compose.ts";
import { factsOf } from "./containerFolder.ts";
import type { PodPlace, PodWorld } from "./world.ts";

export type PreparedContainer =
  | {
      readonly kind: "ready";
      /** Path of the termination message file. */
      readonly terminationMessage: string | undefined;
      /** Undefined for a simulated container, which cannot run commands. */
      readonly inside: Composed["inside"] | undefined;
      readonly begin: (log: LogWriter, id: string) => ContainerRun;
    }
  /** The program was not found. */
  | { readonly kind: "absent"; readonly message: string };

/** A referenced object is missing; the caller retries. */
interface Refused {
  readonly kind: "refused";
  readonly message: string;
}

export function prepareContainer(
  container: ContainerSpec,
  attempt: number,
  image: LocalImage,
  world: PodWorld,
  place: PodPlace,
): Promise<PreparedContainer | Refused> {
  return image.kind === "simulation"
    ? Promise.resolve(prepareSimulation(container, image.sparkVersion, world, place))
    : prepareProcess(container, attempt, image, world, place);
}

function prepareSimulation(
  container: ContainerSpec,
  sparkVersion: string,
  world: PodWorld,
  place: PodPlace,
): PreparedContainer | Refused {
  const { pod, address } = place;
  const holdings = holdingsOf(world.objects, pod.metadata.namespace ?? "");
  const env = containerEnv(container, {}, holdings, factsOf(world, place));
  if (!env.ok) return { kind: "refused", message: env.error };
  const simulated = { pod, container, sparkVersion, env: env.value, address };
  return {
    kind: "ready",
    terminationMessage: undefined,
    inside: undefined,
    begin: (log) => world.simulation.start(simulated, log),
  };
}

async function prepareProcess(
  container: ContainerSpec,
  attempt: number,
  image: Exclude<LocalImage, { kind: "simulation" }>,
  world: PodWorld,
  place: PodPlace,
): Promise<PreparedContainer | Refused> {
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
  const { platform } = world;
  const plain = { ...start, command: [program, ...start.command.slice(1)] };
  const found = container.tty ? withTerminal(plain, platform) : plain;
  const how = { hasInput: container.stdin, platform };
  return {
    kind: "ready",
    terminationMessage,
    inside,
    begin: (log, id) => new LocalRun(found, id, log, world.watchdog(), how),
  };
}
