// Local folders of volumes: emptyDir, hostPath and PersistentVolumeClaims.
import { lstat, stat } from "node:fs/promises";
import { err, ok, type Result } from "../../../base/result.ts";
import { fieldsOf, textOf, type Fields } from "../../../base/json.ts";
import type { Objects } from "../../api/objects.ts";
import type { VolumeSpec } from "../spec/podSpec.ts";
import { makeFolder } from "./containedFiles.ts";

interface VolumeFolders {
  /** Folder that is deleted with the pod. */
  readonly pod: string;
  /** Folder with a subfolder for each existing claim. */
  readonly claims: string;
}

/** Returns the folder or file of a volume. The error is the message for `MountVolume.SetUp failed`. */
export async function volumePlaceOf(
  { name, source }: VolumeSpec,
  namespace: string,
  folders: VolumeFolders,
  objects: Objects,
): Promise<Result<string, string>> {
  const [kind = "", inner] = Object.entries(source)[0] ?? [];
  const fields = fieldsOf(inner);
  switch (kind) {
    case "emptyDir":
    case "ephemeral":
      return ok(await makeFolder(folders.pod, ["volumes", name]));
    case "hostPath":
      return hostPlace(fields);
    case "persistentVolumeClaim": {
      const claimName = textOf(fields["claimName"]) ?? "";
      const key = { resource: "persistentvolumeclaims", namespace, name: claimName };
      const claim = objects.get(key);
      if (claim === undefined)
        return err(`persistentvolumeclaim ${JSON.stringify(claimName)} not found`);
      return ok(await makeFolder(folders.claims, [claim.metadata.uid ?? claimName]));
    }
    default:
      return err(`the sandbox does not support volumes of type "${kind}"`);
  }
}

/** Resolves a hostPath. Refuses a missing path, even with DirectoryOrCreate: it creates nothing outside the sandbox. */
async function hostPlace(source: Fields): Promise<Result<string, string>> {
  const path = textOf(source["path"]) ?? "";
  const type = textOf(source["type"]) ?? "";
  const found = await stat(path).catch(() => undefined);
  const wanted = type.startsWith("File") ? "file" : "directory";
  if (found === undefined && (await lstat(path).catch(() => undefined)) === undefined) {
    if (type === "Directory" || type === "File") {
      return err(`hostPath type check failed: ${path} is not a ${wanted}`);
    }
    return err(
      `"${path}" does not exist, and the sandbox creates nothing outside its own folder. Create it first`,
    );
  }
  const fits =
    type === "" || (wanted === "file" ? found?.isFile() === true : found?.isDirectory() === true);
  return fits ? ok(path) : err(`hostPath type check failed: ${path} is not a ${wanted}`);
}
