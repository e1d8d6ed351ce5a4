import type { RunProfile } from "../../spark/submit/profile/runProfile.ts";

/**
 * Returns the profile for tasks.json. Replaces the start of paths inside the folder with `${workspaceFolder}`, so that
 * the profile also works in another clone. `folder`: the absolute path of the workspace folder.
 */
export function portableProfile(profile: RunProfile, folder: string): RunProfile {
  const { application, propertiesFile } = profile;
  const portable = (path: string): string =>
    path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`)
      ? `\${workspaceFolder}${path.slice(folder.length)}`
      : path;
  return {
    ...profile,
    application: portable(application),
    ...(propertiesFile !== undefined && { propertiesFile: portable(propertiesFile) }),
  };
}
