import { msg, type Message } from "../../base/message.ts";
import { valueAt, fieldValue, withValue } from "./fieldValue.ts";
import { append, editObject, type Json, type JsonObject } from "../../base/json.ts";
import { parseJavaBoolean } from "../submit/conf/sparkValues.ts";
import { minorOf } from "../submit/conf/sparkVersion.ts";
import { kindOfFile } from "../submit/arguments/fileKind.ts";
import {
  allocationFields,
  fieldFamilies,
  podNameKey,
  refusedKeys,
  fieldRoles,
  strongFields,
  weakFields,
  type FieldKey,
} from "./kubeflowFields.ts";
import { sortKubeflowFields } from "./kubeflowOrder.ts";
import { kubeflowSpec } from "./kubeflowSchema.ts";
import { nameObject } from "./objectName.ts";
import { applicationOf, type KubeflowApplication } from "./operatorManifest.ts";
import { editSparkContainer, sparkContainer } from "./podTemplates.ts";
import { fileLosses, localOnlyReason } from "./remoteFiles.ts";
import { readJson } from "./schema.ts";
import {
  appNameKey,
  deployModeKey,
  idleLosses,
  namespaceKey,
  templateContainerKey,
  templateFileKey,
  type ConversionLoss,
  type SubmissionRequest,
  type Translated,
} from "./submissionRequest.ts";

/**
 * Returns the SparkApplication that makes the operator submit the request. The caller must have inlined the request's
 * files with `inlineFiles`. `sparkVersion` is the default for a request without a version.
 */
export function kubeflowOfRequest(
  asked: SubmissionRequest,
  sparkVersion: string,
): Translated<KubeflowApplication> {
  const request = { ...asked, sparkVersion: asked.sparkVersion ?? sparkVersion };
  const start: Draft = { spec: {}, rest: request.conf, losses: [] };
  const { spec, rest, losses } = steps.reduce((draft, step) => step(draft, request), start);
  const name = nameObject(request);
  const namespace = request.conf.get(namespaceKey);
  const metadata = { ...name.value, ...(namespace === undefined ? {} : { namespace }) };
  const whole = {
    driver: {},
    executor: {},
    ...spec,
    ...(rest.size === 0 ? {} : { sparkConf: Object.fromEntries(rest) }),
  };
  const { value = {} } = readJson(kubeflowSpec, sortKubeflowFields(whole));
  return {
    value: applicationOf(metadata, value),
    losses: [...name.losses, ...losses, ...fileLosses(request), ...idleLosses(request)],
  };
}

/** A request that is partly converted into an object. */
interface Draft {
  readonly spec: JsonObject;
  /** Conf entries that are not yet converted to fields. The remaining ones go into `sparkConf`. */
  readonly rest: ReadonlyMap<string, string>;
  readonly losses: readonly ConversionLoss[];
}

type Request = SubmissionRequest & { readonly sparkVersion: string };
type Step = (draft: Draft, request: Request) => Draft;

const types = { java: "Scala", python: "Python", r: "R" } as const;

const addApplication: Step = (draft, request) => {
  const { mainClass, proxyUser, resource = "" } = request;
  const mode = request.conf.get(deployModeKey);
  const spec: JsonObject = {
    type: types[kindOfFile(resource)],
    mode: mode === "client" ? mode : "cluster",
    sparkVersion: request.sparkVersion,
    ...(mainClass === undefined ? {} : { mainClass }),
    mainApplicationFile: resource,
    ...(request.arguments.length === 0 ? {} : { arguments: request.arguments }),
    ...(proxyUser === undefined ? {} : { proxyUser }),
  };
  const isSaid = mode === "cluster" || mode === "client";
  const reason =
    mode === undefined
      ? msg(
          "If no deploy mode is set, spark-submit runs the driver on this machine. The operator runs it in the cluster.",
        )
      : msg`"${mode}" is not a valid deploy mode. The object uses "cluster".`;
  return {
    spec: { ...draft.spec, ...spec },
    rest: without(draft.rest, [deployModeKey, appNameKey, namespaceKey]),
    losses: isSaid
      ? draft.losses
      : [...draft.losses, { kind: "changed", entry: deployModeKey, reason }],
  };
};

const dropLocal: Step = (draft) => drop(draft, localOnlyReason);

const moveFields: Step = (draft) => {
  const known = new Map([...weakFields, ...strongFields].map((field) => [field.key, field]));
  return move(draft, (key, text) => placeOf(known.get(key), text));
};

const moveAllocation: Step = (draft, { sparkVersion }) => {
  const enabled = draft.rest.get("spark.dynamicAllocation.enabled");
  if (parseJavaBoolean(enabled?.trim() ?? "") !== true) return draft;
  const known = new Map(allocationFields.map((field) => [field.key, field]));
  const moved = move(
    { ...draft, spec: withValue(draft.spec, ["dynamicAllocation", "enabled"], true) },
    (key, text) => placeOf(known.get(key), text),
  );
  // Disables shuffle tracking for Spark 3.3 unless the request sets it. The operator enables it by default, Spark 3.3
  // does not.
  const tracking = ["dynamicAllocation", "shuffleTrackingEnabled"];
  const isOff =
    minorOf(sparkVersion) === "3.3" &&
    !draft.rest.has("spark.dynamicAllocation.shuffleTracking.enabled");
  return {
    ...moved,
    spec: isOff ? withValue(moved.spec, tracking, false) : moved.spec,
    rest: without(moved.rest, ["spark.dynamicAllocation.enabled"]),
  };
};

// Sets two executors, Spark's default, if the request sets no number. The operator's default is one.
const addInstances: Step = (draft) => {
  const path = ["executor", "instances"];
  const isSaid =
    (draft.rest.get("spark.executor.instances") ?? "") !== "" ||
    valueAt(draft.spec, path) !== undefined ||
    valueAt(draft.spec, ["dynamicAllocation"]) !== undefined;
  return isSaid ? draft : { ...draft, spec: withValue(draft.spec, path, 2) };
};

const moveFamilies: Step = (draft) =>
  move(draft, (key, text) => {
    const family = fieldFamilies.find(({ prefix }) => key.startsWith(prefix) && key !== prefix);
    return family && [[...family.path, key.slice(family.prefix.length)], text];
  });

const moveReferences: Step = (draft) =>
  move(draft, (key, text) => {
    const [, role = "", variable = ""] =
      /^spark\.kubernetes\.(driver|executor)\.secretKeyRef\.(.+)$/s.exec(key) ?? [];
    const [, name, item] = /^([^:]+):([^:]+)$/.exec(text) ?? [];
    if (variable === "" || name === undefined || item === undefined) return undefined;
    return [[role, "envSecretKeyRefs", variable], { name, key: item }];
  });

const moveSecrets: Step = (draft) => {
  const secrets = [...draft.rest].flatMap(([key, path]) => {
    const [, role = "", name = ""] =
      /^spark\.kubernetes\.(driver|executor)\.secrets\.(.+)$/s.exec(key) ?? [];
    return name === "" ? [] : [{ key, role, secret: { name, path, secretType: "Generic" } }];
  });
  const spec = secrets.reduce(
    (edited, { role, secret }) =>
      editObject(edited, role, (own) => append(own, "secrets", [secret])),
    draft.spec,
  );
  return {
    ...draft,
    spec,
    rest: without(
      draft.rest,
      secrets.map(({ key }) => key),
    ),
  };
};

// Adds the pod templates. Drops their conf keys, because the operator overwrites these keys.
const addTemplates: Step = (draft, request) => {
  const spec = fieldRoles.reduce((edited, role) => {
    const template = request.templates[role];
    if (template === undefined) return edited;
    const name = request.conf.get(templateContainerKey(role));
    const named = editSparkContainer(template, role, name, (container) => ({
      ...container,
      name: sparkContainer[role],
    }));
    return withValue(edited, [role, "template"], named);
  }, draft.spec);
  const dropped = drop({ ...draft, spec }, (key, value) =>
    fieldRoles.some((role) => key === templateFileKey(role))
      ? msg`The operator replaces "${value}" with its own template.`
      : undefined,
  );
  return { ...dropped, rest: without(dropped.rest, fieldRoles.map(templateContainerKey)) };
};

const dropRefused: Step = (draft) =>
  drop(draft, (key, value) =>
    key === podNameKey ? msg`"${value}" is not a valid pod name.` : refusedKeys.get(key),
  );

const steps: readonly Step[] = [
  addApplication,
  dropLocal,
  moveFields,
  moveAllocation,
  addInstances,
  moveFamilies,
  moveReferences,
  moveSecrets,
  addTemplates,
  dropRefused,
];

type Placement = readonly [path: readonly string[], value: Json];

function placeOf(field: FieldKey | undefined, text: string): Placement | undefined {
  const value = field && fieldValue(text, field.form);
  return field && value !== undefined ? [field.path, value] : undefined;
}

/** Moves the entries of `rest` for which `find` returns a placement into the spec. */
function move(draft: Draft, find: (key: string, text: string) => Placement | undefined): Draft {
  const moved: string[] = [];
  let spec = draft.spec;
  for (const [key, text] of draft.rest) {
    const placement = find(key, text);
    if (placement === undefined) continue;
    spec = withValue(spec, placement[0], placement[1]);
    moved.push(key);
  }
  return { ...draft, spec, rest: without(draft.rest, moved) };
}

/** Drops the entries of `rest` for which `why` returns a reason, and records each as a loss. */
function drop(draft: Draft, why: (key: string, value: string) => Message | undefined): Draft {
  const dropped: string[] = [];
  const losses = [...draft.rest].flatMap(([entry, value]): readonly ConversionLoss[] => {
    const reason = why(entry, value);
    if (reason === undefined) return [];
    dropped.push(entry);
    return [{ kind: "dropped", entry, reason }];
  });
  return { ...draft, rest: without(draft.rest, dropped), losses: [...draft.losses, ...losses] };
}

function without(
  conf: ReadonlyMap<string, string>,
  keys: readonly string[],
): ReadonlyMap<string, string> {
  return new Map([...conf].filter(([key]) => !keys.includes(key)));
}
