import {
  type Field,
  type MessageFields,
  MessageReader,
  NotAMessage,
  type MessageShape,
  shapeOf,
} from "./bytes/messageReader.ts";
import { fieldAt } from "../base/json.ts";

/** A watch event on pods. The object has only the fields that `decodePod` and `statusError` read. */
interface WatchMessage {
  readonly type: unknown;
  readonly object: MessageFields;
}

const messagesType = "application/vnd.kubernetes.protobuf";

/** The Accept header that requests protobuf, with JSON as the fallback. */
export const messagesOrJson = `${messagesType}, application/json`;

export const isOfMessages = (contentType: string): boolean => contentType.startsWith(messagesType);

const magic = Buffer.from("k8s\0");

/** Decodes a watch event on pods. Throws NotAMessage. */
export function readWatchEvent(frame: Buffer, reader: MessageReader): WatchMessage {
  const { type, object } = reader.read(frame, watchEvent);
  return { type, object: readObject(bytesOf(object), type === "ERROR" ? status : pod, reader) };
}

/** Decodes the Status of a refused request. Returns undefined if the body is truncated or not protobuf. */
export function readStatus(body: Buffer): MessageFields | undefined {
  try {
    return readObject(body, status, new MessageReader());
  } catch (error) {
    if (error instanceof NotAMessage) return undefined;
    throw error;
  }
}

function readObject(bytes: Buffer, shape: MessageShape, reader: MessageReader): MessageFields {
  if (!bytes.subarray(0, magic.length).equals(magic)) throw new NotAMessage();
  const raw = bytesOf(reader.read(bytes.subarray(magic.length), envelope));
  return reader.read(raw, shape);
}

function bytesOf(value: unknown): Buffer {
  const bytes = fieldAt(value, "raw");
  if (!(bytes instanceof Buffer)) throw new NotAMessage();
  return bytes;
}

// Field numbers come from generated.proto in k8s.io/api/core/v1, and from meta/v1 and runtime in
// k8s.io/apimachinery/pkg. The pod shape has only the fields that `decodePod` reads.

const text = (name: string): Field => ({ name, kind: "text" });
const time = (name: string): Field => ({ name, kind: "time" });
const number = (name: string): Field => ({ name, kind: "number", zero: true });
const numberOrAbsent = (name: string): Field => ({ name, kind: "number", zero: false });
const message = (name: string, shape: MessageShape): Field => ({ name, kind: "message", shape });
const messages = (name: string, shape: MessageShape, only?: string): Field => ({
  ...{ name, kind: "messages", shape, only },
});

const envelope = shapeOf({ 2: { name: "raw", kind: "bytes" } });
const watchEvent = shapeOf({
  1: text("type"),
  2: message("object", shapeOf({ 1: { name: "raw", kind: "bytes" } })),
});

const owner = shapeOf({
  1: text("kind"),
  3: text("name"),
  4: text("uid"),
  6: { name: "controller", kind: "flag" },
});

const metadata = shapeOf({
  1: text("name"),
  3: text("namespace"),
  5: text("uid"),
  6: text("resourceVersion"),
  8: time("creationTimestamp"),
  9: time("deletionTimestamp"),
  11: { name: "labels", kind: "map" },
  12: { name: "annotations", kind: "map" },
  13: messages("ownerReferences", owner),
});

const resources = shapeOf({
  1: { name: "limits", kind: "quantities" },
  2: { name: "requests", kind: "quantities" },
});

const container = shapeOf({
  1: text("name"),
  2: text("image"),
  4: { name: "args", kind: "texts" },
  6: messages("ports", shapeOf({ 1: text("name"), 3: number("containerPort") })),
  // Decodes only SPARK_USER: environment variables make up most of a pod's size.
  7: messages("env", shapeOf({ 1: text("name"), 2: text("value") }), "SPARK_USER"),
  8: message("resources", resources),
});

const volume = shapeOf({
  2: {
    ...{ name: "", kind: "inline" },
    shape: shapeOf({ 10: message("persistentVolumeClaim", shapeOf({ 1: text("claimName") })) }),
  },
});

const spec = shapeOf({
  1: messages("volumes", volume),
  2: messages("containers", container),
  3: text("restartPolicy"),
  7: { name: "nodeSelector", kind: "map" },
  10: text("nodeName"),
  19: text("schedulerName"),
  20: messages("initContainers", container),
});

const waiting = shapeOf({ 1: text("reason"), 2: text("message") });
const running = shapeOf({ 1: time("startedAt") });
const terminated = shapeOf({
  1: number("exitCode"),
  2: numberOrAbsent("signal"),
  3: text("reason"),
  4: text("message"),
  5: time("startedAt"),
  6: time("finishedAt"),
});

const containerState = shapeOf({
  1: message("waiting", waiting),
  2: message("running", running),
  3: message("terminated", terminated),
});

const containerStatus = shapeOf({
  1: text("name"),
  2: message("state", containerState),
  3: message("lastState", containerState),
  4: { name: "ready", kind: "flag" },
  5: number("restartCount"),
  6: text("image"),
  7: text("imageID"),
});

const condition = shapeOf({
  1: text("type"),
  2: text("status"),
  5: text("reason"),
  6: text("message"),
});

const podStatus = shapeOf({
  1: text("phase"),
  2: messages("conditions", condition),
  3: text("message"),
  4: text("reason"),
  6: text("podIP"),
  7: time("startTime"),
  8: messages("containerStatuses", containerStatus),
  10: messages("initContainerStatuses", containerStatus),
  11: text("nominatedNodeName"),
});

const pod = shapeOf({
  1: message("metadata", metadata),
  2: message("spec", spec),
  3: message("status", podStatus),
});

const cause = shapeOf({ 1: text("reason"), 2: text("message"), 3: text("field") });
const details = shapeOf({
  1: text("name"),
  3: text("kind"),
  4: messages("causes", cause),
  5: numberOrAbsent("retryAfterSeconds"),
});

const status = shapeOf({
  3: text("message"),
  4: text("reason"),
  5: message("details", details),
  6: numberOrAbsent("code"),
});
