// Converts between run profiles and submission requests.
import { definedMembers } from "../../base/json.ts";
import { msg, type Message } from "../../base/message.ts";
import { memberKeys, profileTokens, type RunProfile } from "../submit/profile/runProfile.ts";
import { sparkVersionOfImage } from "../submit/conf/sparkVersion.ts";
import { requestOfLine, type ReadLine } from "./lineRequest.ts";
import {
  appNameKey,
  deployModeKey,
  idleLosses,
  masterKey,
  type ConversionLoss,
  type SubmissionRequest,
  type Translated,
} from "./submissionRequest.ts";

/**
 * Returns the request of the profile. Its version is undefined if neither the profile nor the image tag has one.
 * `sparkVersion` is only the version for the parser in that case.
 */
export function requestOfProfile(profile: RunProfile, sparkVersion: string): ReadLine {
  const { image, master, follow, contexts } = profile;
  const version =
    profile.sparkVersion ?? (image === undefined ? undefined : sparkVersionOfImage(image));
  const { value, losses, findings } = requestOfLine({
    kind: "tokens",
    sparkVersion: version ?? sparkVersion,
    tokens: profileTokens(profile),
  });
  const conf = new Map<string, string>([
    ...value.conf,
    [deployModeKey, "cluster"],
    ...(master === undefined ? [] : [[masterKey, master] as const]),
  ]);
  return {
    value: { ...value, sparkVersion: version, conf },
    losses: [
      ...losses,
      ...lossOf("follow", follow, msg("Log display is a feature of the editor.")),
      ...lossOf(
        "contexts",
        contexts,
        msg(
          "A submission has a single context. The overrides for other contexts are not included.",
        ),
      ),
    ],
    findings,
  };
}

/** Returns the run profile for a request. Ignores inline pod templates. */
export function profileOfRequest(request: SubmissionRequest): Translated<RunProfile> {
  const rest = new Map(request.conf);
  const losses: ConversionLoss[] = [...idleLosses(request)];
  const take = (key: string): string | undefined => {
    const value = rest.get(key);
    rest.delete(key);
    return value;
  };
  // Leaves an empty value in `conf`, because an empty list member produces no option.
  const takeList = (key: string): readonly string[] | undefined =>
    rest.get(key) === "" ? undefined : take(key)?.split(",");
  const mode = take(deployModeKey);
  if (mode !== "cluster") {
    const reason = msg("A profile always runs the driver in the cluster.");
    losses.push({ kind: "changed", entry: deployModeKey, reason });
  }
  const { extraPropertiesFiles, loadsDefaults } = request;
  const profile = {
    application: request.resource ?? "",
    class: request.mainClass,
    args: request.arguments.length === 0 ? undefined : request.arguments,
    name: take(appNameKey),
    image: take(memberKeys.image),
    sparkVersion: request.sparkVersion,
    master: take(memberKeys.master),
    context: take(memberKeys.context),
    namespace: take(memberKeys.namespace),
    serviceAccount: take(memberKeys.serviceAccount),
    proxyUser: request.proxyUser,
    propertiesFile: request.propertiesFile,
    extraPropertiesFiles: extraPropertiesFiles.length === 0 ? undefined : extraPropertiesFiles,
    loadSparkDefaults: loadsDefaults ? true : undefined,
    jars: takeList(memberKeys.jars),
    files: takeList(memberKeys.files),
    pyFiles: takeList(memberKeys.pyFiles),
    archives: takeList(memberKeys.archives),
    packages: takeList(memberKeys.packages),
  };
  const conf = rest.size === 0 ? undefined : Object.fromEntries(rest);
  return { value: present({ ...profile, conf }), losses };
}

type Present<T> = { readonly [K in keyof T]: Exclude<T[K], undefined> };
type Given<T> = Partial<Present<T>>;

function present<T extends Readonly<Record<string, unknown>> & { readonly application: string }>(
  members: T,
): Given<T> & { readonly application: string } {
  // The members are those of the argument, without undefined ones.
  return definedMembers(members) as Given<T> & { readonly application: string };
}

const lossOf = (entry: string, value: unknown, reason: Message): readonly ConversionLoss[] =>
  value === undefined ? [] : [{ kind: "dropped", entry, reason }];
