// The folder of a container: root, image files, file volumes and working directory. `compose.ts` adds home and tmp.
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "../../../base/result.ts";
import { fieldsOf } from "../../../base/json.ts";
import { expand } from "../env/expand.ts";
import type { PodFacts } from "../env/fieldValue.ts";
import { holdingsOf } from "../configSources.ts";
import { decommissionScript } from "../image/decommissionScript.ts";
import type { LocalImage } from "../image/images.ts";
import { rewriteMounted, type MountedIn } from "../paths/rewriteProperties.ts";
import { insidePath, type HostNames, type PathMap } from "../paths/rewriteText.ts";
import type { ContainerSpec, MountSpec, VolumeSpec } from "../spec/podSpec.ts";
import {
  makeFolder,
  partsOf,
  PathRefused,
  subFolder,
  writeContained,
} from "../volumes/containedFiles.ts";
import { makeOverlay, type Shown } from "../volumes/overlay.ts";
import { volumePlaceOf } from "../volumes/places.ts";
import { madeOfFiles, volumeFiles, type VolumeFile } from "../volumes/volumeFiles.ts";
import type { PodPlace, PodWorld } from "./world.ts";

export interface ContainerFolder {
  readonly folder: string;
  readonly paths: PathMap;
  /** Maps a path in the container to a path on this machine. */
  readonly real: (path: string) => string;
  readonly workingDirectory: string;
}

export const sparkHomeInside = "/opt/spark";
const workInside = "/opt/spark/work-dir";
const decommissionInside = "/opt/decom.sh";

interface FolderContext {
  readonly env: ReadonlyMap<string, string>;
  readonly hosts: HostNames;
  readonly world: PodWorld;
  readonly place: PodPlace;
}

/** Creates the container's folder. The error is the message for `CreateContainerConfigError`. */
export async function makeContainerFolder(
  container: ContainerSpec,
  attempt: number,
  image: Exclude<LocalImage, { kind: "simulation" }>,
  around: FolderContext,
): Promise<Result<ContainerFolder, string>> {
  const { world, place } = around;
  try {
    // Delete the leftovers of an earlier attempt with this number.
    const above = await makeFolder(place.folder, ["containers", container.name]);
    await rm(join(above, String(attempt)), { recursive: true, force: true });
    const folder = await makeFolder(above, [String(attempt)]);
    const root = join(folder, "root");
    const working = container.workingDirectory ?? workInside;
    const inside = [sparkHomeInside, decommissionInside, container.terminationMessagePath, working];
    const paths: PathMap = {
      root,
      prefixes: [
        ...inside,
        ...container.mounts.map(({ path }) => clean(insidePath(path, world.folder))),
      ],
      own: world.folder,
    };
    const shown: Shown[] = await imageFiles(folder, image, container);
    for (const mount of container.mounts) {
      const source = await mountSource(mount, folder, paths, around);
      if (!source.ok) return source;
      shown.push({ path: clean(insidePath(mount.path, world.folder)), source: source.value });
    }
    if (!shown.some(({ path }) => isWithin(working, path) && path !== sparkHomeInside)) {
      shown.push({ path: clean(working), source: await makeFolder(folder, ["work-dir"]) });
    }
    await makeOverlay(root, shown);
    const real = (path: string): string => join(root, ...partsOf(path));
    return ok({ folder, paths, real, workingDirectory: real(working) });
  } catch (error) {
    if (error instanceof PathRefused) return err(error.message);
    throw error;
  }
}

const clean = (path: string): string => `/${partsOf(path).join("/")}`;

const isWithin = (path: string, outer: string): boolean =>
  clean(path) === outer || clean(path).startsWith(`${outer}/`);

async function imageFiles(
  folder: string,
  image: Exclude<LocalImage, { kind: "simulation" }>,
  { terminationMessagePath }: ContainerSpec,
): Promise<Shown[]> {
  const files = await makeFolder(folder, ["image"]);
  const script = join(files, "decom.sh");
  await writeFile(script, decommissionScript, { mode: 0o700 });
  const message = join(files, "termination-log");
  await writeFile(message, "", { mode: 0o600 });
  return [
    { path: decommissionInside, source: script },
    { path: clean(terminationMessagePath), source: message },
    ...(image.kind === "spark"
      ? [
          { path: sparkHomeInside, source: image.distribution.home },
          { path: workInside, source: await makeFolder(folder, ["work-dir"]) },
        ]
      : []),
  ];
}

async function mountSource(
  mount: MountSpec,
  folder: string,
  paths: PathMap,
  around: FolderContext,
): Promise<Result<string, string>> {
  const volume = around.place.spec.volumes.find(({ name }) => name === mount.volume);
  if (volume === undefined) return err(`volume ${JSON.stringify(mount.volume)} not found`);
  const source = await volumeSource(volume, folder, paths, around);
  const subPath = mount.subPathExpr === "" ? mount.subPath : expand(mount.subPathExpr, around.env);
  if (!source.ok || subPath === "") return source;
  return ok(await subFolder(source.value, subPath));
}

async function volumeSource(
  volume: VolumeSpec,
  folder: string,
  paths: PathMap,
  { hosts, world, place }: FolderContext,
): Promise<Result<string, string>> {
  const [kind = "", inner] = Object.entries(volume.source)[0] ?? [];
  if (!madeOfFiles.has(kind)) return placeOfVolume(volume, world, place);
  const files = volumeFiles(kind, fieldsOf(inner), volumeWorld(world, place));
  if (!files.ok) return files;
  const own = await makeFolder(folder, ["volumes", volume.name]);
  for (const file of files.value) {
    const bytes = mapped(file, { paths, hosts, address: place.address });
    await writeContained(own, file.path, bytes, file.isExecutable);
  }
  return ok(own);
}

const placeOfVolume = (
  volume: VolumeSpec,
  world: PodWorld,
  { pod, folder }: PodPlace,
): Promise<Result<string, string>> =>
  volumePlaceOf(
    volume,
    pod.metadata.namespace ?? "",
    { pod: folder, claims: join(world.folder, "claims") },
    world.objects,
  );

function mapped({ path, bytes, isMapped }: VolumeFile, mountedIn: MountedIn): Uint8Array {
  if (!isMapped) return bytes;
  const text = Buffer.from(bytes).toString("utf8");
  // Binary files, such as key stores, stay unchanged.
  if (!Buffer.from(text, "utf8").equals(bytes)) return bytes;
  return Buffer.from(rewriteMounted(path.split("/").at(-1) ?? path, text, mountedIn));
}

function volumeWorld(world: PodWorld, { pod, spec, address }: PodPlace) {
  const namespace = pod.metadata.namespace ?? "";
  return {
    holdings: holdingsOf(world.objects, namespace),
    facts: factsOf(world, { pod, spec, address }),
    token: () => world.api.tokenFor(namespace, spec.serviceAccountName),
    authority: world.api.authority,
  };
}

export const factsOf = (
  world: PodWorld,
  { pod, spec, address }: Pick<PodPlace, "pod" | "spec" | "address">,
): PodFacts => ({
  pod,
  spec,
  podAddress: address,
  hostAddress: world.hostAddress,
  allocatable: world.allocatable,
});

/** Returns the FailedMount message of the first volume that cannot be mounted; undefined if all can be mounted. */
export async function missingVolume(world: PodWorld, place: PodPlace): Promise<string | undefined> {
  for (const volume of place.spec.volumes) {
    const { name, source } = volume;
    const [kind = "", inner] = Object.entries(source)[0] ?? [];
    const found = madeOfFiles.has(kind)
      ? volumeFiles(kind, fieldsOf(inner), volumeWorld(world, place))
      : await placeOfVolume(volume, world, place).catch((error: unknown) => {
          if (error instanceof PathRefused) return err(error.message);
          throw error;
        });
    if (!found.ok)
      return `MountVolume.SetUp failed for volume ${JSON.stringify(name)} : ${found.error}`;
  }
  return undefined;
}
