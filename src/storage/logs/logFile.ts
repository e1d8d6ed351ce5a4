import { appendFile, open, readFile, rename, stat, truncate, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { systemCode } from "../systemCode.ts";

/** A piece of a log, compressed by itself; where it stands in the file. */
export interface Block {
  readonly offset: number;
  readonly bytes: number;
  readonly lines: number;
  readonly first: string;
  readonly last: string;
}

export interface BlockIndex {
  readonly blocks: readonly Block[];
  readonly isCutOff: boolean;
}

const mode = 0o600;
const zip = promisify(gzip);
const unzip = promisify(gunzip);

/**
 * A file of compressed blocks, beside it the index, a line a block, which is written after its block: what is
 * in the file and not in the index was being written when the window died, and does not count.
 */
export class LogFile {
  readonly #path: string;
  readonly #indexPath: string;

  constructor(path: string) {
    this.#path = path;
    this.#indexPath = `${path}.index`;
  }

  async index(): Promise<BlockIndex> {
    const text = (await textOf(this.#indexPath)) ?? "";
    const lines = text.split("\n").slice(0, -1);
    const blocks = lines.flatMap((line) => blockOf(line) ?? []);
    return { blocks, isCutOff: lines.includes(cutOff) };
  }

  async read({ offset, bytes }: Block): Promise<string> {
    const file = await open(this.#path, "r");
    try {
      const memory = Buffer.alloc(bytes);
      await file.read(memory, 0, bytes, offset);
      return (await unzip(memory)).toString("utf8");
    } finally {
      await file.close();
    }
  }

  /** Gives by how many bytes the file has grown. */
  async append(text: string, about: Omit<Block, "offset" | "bytes">): Promise<number> {
    const packed = await zip(text);
    const offset = await sizeOf(this.#path);
    await appendFile(this.#path, packed, { mode });
    const block: Block = { offset, bytes: packed.length, ...about };
    await appendFile(this.#indexPath, `${JSON.stringify(block)}\n`, { mode });
    return packed.length;
  }

  /** Takes away what a window that died had begun to write. */
  async mend(): Promise<void> {
    const { blocks } = await this.index();
    const last = blocks.at(-1);
    const end = last === undefined ? 0 : last.offset + last.bytes;
    if ((await sizeOf(this.#path)) > end) await truncate(this.#path, end);
    const index = (await textOf(this.#indexPath)) ?? "";
    const whole = index.slice(0, index.lastIndexOf("\n") + 1);
    if (whole !== index) await truncate(this.#indexPath, Buffer.byteLength(whole));
  }

  /** Gives how many bytes that has freed. */
  async dropOlderHalf(): Promise<number> {
    const { blocks } = await this.index();
    const kept = blocks.slice(Math.ceil(blocks.length / 2));
    const from = kept[0]?.offset ?? (await sizeOf(this.#path));
    const bytes = (await readFile(this.#path)).subarray(from);
    const moved = kept.map((block) => JSON.stringify({ ...block, offset: block.offset - from }));
    // Who reads at this moment has the old file open, or finds no block where the index says: both are read anew.
    await writeFile(`${this.#path}.new`, bytes, { mode });
    await writeFile(`${this.#indexPath}.new`, [cutOff, ...moved, ""].join("\n"), { mode });
    await rename(`${this.#path}.new`, this.#path);
    await rename(`${this.#indexPath}.new`, this.#indexPath);
    return from;
  }
}

const cutOff = '{"cutOff":true}';

function blockOf(line: string): Block | undefined {
  try {
    const read: unknown = JSON.parse(line);
    return isBlock(read) ? read : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const isBlock = (read: unknown): read is Block =>
  typeof read === "object" &&
  read !== null &&
  ["offset", "bytes", "lines"].every((field) => Number.isSafeInteger(Reflect.get(read, field))) &&
  ["first", "last"].every((field) => typeof Reflect.get(read, field) === "string");

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return 0;
    throw error;
  }
}
