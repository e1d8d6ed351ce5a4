import { isObject, type Json, type KubeObject } from "../kubeObject.ts";

/** An object as a text: the values of its members, after the number of its shape. */
export type Packed = string;

/** What an object's members are called, in their order; 0 where it has a value. */
type Shape = 0 | { readonly [name: string]: Shape };

// Events have a handful. What has a shape of its own after these is kept whole.
const mostShapes = 200;

/** Makes objects that are many and hardly ever read as small as can be told from their JSON: a quarter of what they take. */
export class Packer {
  readonly #shapes: Shape[] = [];
  readonly #numbers = new Map<string, number>();

  pack(object: KubeObject): Packed {
    const values: Json[] = [];
    const shape = takeApart(object, values);
    const number = this.#numberOf(shape);
    return number === undefined ? JSON.stringify(object) : `${number} ${JSON.stringify(values)}`;
  }

  unpack(packed: Packed): KubeObject {
    if (packed.startsWith("{")) return JSON.parse(packed) as KubeObject;
    const end = packed.indexOf(" ");
    const values = (JSON.parse(packed.slice(end)) as Json[]).values();
    return putTogether(this.#shapes[Number(packed.slice(0, end))] ?? 0, values) as KubeObject;
  }

  #numberOf(shape: Shape): number | undefined {
    const text = JSON.stringify(shape);
    const known = this.#numbers.get(text);
    if (known !== undefined || this.#numbers.size >= mostShapes) return known;
    this.#numbers.set(text, this.#shapes.length);
    return this.#shapes.push(shape) - 1;
  }
}

function takeApart(value: Json, values: Json[]): Shape {
  if (!isObject(value)) {
    values.push(value);
    return 0;
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === undefined ? [] : [[name, takeApart(member, values)]],
    ),
  );
}

function putTogether(shape: Shape, values: Iterator<Json>): Json {
  if (shape === 0) {
    const next = values.next();
    return next.done === true ? null : next.value;
  }
  return Object.fromEntries(
    Object.entries(shape).map(([name, member]) => [name, putTogether(member, values)]),
  );
}
