/**
 * An immutable map with string keys. `trieSet` and `trieRemove` return a new map that shares all but a few nodes. The
 * map is a hash trie with 32-way bitmap branches.
 */
export interface Trie<V> {
  readonly size: number;
  readonly root: TrieNode<V> | undefined;
}

type TrieNode<V> = Branch<V> | Leaf<V>;

interface Branch<V> {
  readonly kind: "branch";
  /** Bit n is set if child n exists. */
  readonly bitmap: number;
  readonly children: readonly TrieNode<V>[];
}

// A class, because V8 pretenures object literals by allocation site. The tries of pods live long, so short-lived tries
// would be pretenured too.
class Leaf<V> {
  readonly kind = "leaf";
  readonly hash: number;
  readonly key: string;
  readonly value: V;
  /** The next leaf with the same hash. Collisions are rare, so a linked list is fast enough. */
  readonly next: Leaf<V> | undefined;

  constructor(hash: number, key: string, value: V, next: Leaf<V> | undefined) {
    this.hash = hash;
    this.key = key;
    this.value = value;
    this.next = next;
  }
}

export const emptyTrie: Trie<never> = Object.freeze({ size: 0, root: undefined });

/**
 * Returns the value of a key. Undefined if there is none. `hash`: the hash of the key, if the caller already has it.
 */
export const trieGet = <V>(trie: Trie<V>, key: string, hash = hashOf(key)): V | undefined =>
  find(trie.root, hash, key);

export function trieSet<V>(trie: Trie<V>, key: string, value: V, hash = hashOf(key)): Trie<V> {
  const leaf = new Leaf(hash, key, value, undefined);
  if (trie.root === undefined) return { size: 1, root: leaf };
  const grows = find(trie.root, hash, key) === undefined;
  return { size: trie.size + (grows ? 1 : 0), root: insert(trie.root, leaf, 0) };
}

export function trieRemove<V>(trie: Trie<V>, key: string): Trie<V> {
  const hash = hashOf(key);
  if (trie.root === undefined || find(trie.root, hash, key) === undefined) return trie;
  return { size: trie.size - 1, root: without(trie.root, hash, key, 0) };
}

/** Iterates over the values, each once. The hashes of the keys determine the order. */
export function* trieValues<V>(trie: Trie<V>): Generator<V, void, undefined> {
  for (const { value } of leavesOf(trie.root)) yield value;
}

function* leavesOf<V>(root: TrieNode<V> | undefined): Generator<Leaf<V>, void, undefined> {
  const open: TrieNode<V>[] = root === undefined ? [] : [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === "branch") open.push(...node.children);
    else for (let leaf: Leaf<V> | undefined = node; leaf; leaf = leaf.next) yield leaf;
  }
}

export interface TrieDifference<V> {
  readonly before: V | undefined;
  readonly after: V | undefined;
}

/**
 * Iterates over the keys whose values differ, with old and new values. Skips nodes that both tries share, so the time
 * depends on the number of changes.
 */
export class TrieDifferences<V> {
  #open: OpenPair<V> | undefined;
  /** The remaining differences of keys with the same hash. */
  #chain: TrieDifference<V>[] | undefined;

  constructor(before: Trie<V>, after: Trie<V>) {
    this.#push(before.root, after.root, 0);
  }

  /** Returns the next difference. Undefined at the end. */
  next(): TrieDifference<V> | undefined {
    for (;;) {
      const told = this.#chain?.pop();
      if (told !== undefined) return told;
      if (this.#open === undefined) return undefined;
      const { old, now, shift, next } = this.#open;
      this.#open = next;
      if (old?.kind === "branch" || now?.kind === "branch") this.#pushChildren(old, now, shift);
      else if (isAlone(old, now)) return { before: old?.value, after: now?.value };
      else this.#chain = chainDifferences(old, now);
    }
  }

  #push(old: TrieNode<V> | undefined, now: TrieNode<V> | undefined, shift: number): void {
    if (old !== now) this.#open = { old, now, shift, next: this.#open };
  }

  #pushChildren(old: TrieNode<V> | undefined, now: TrieNode<V> | undefined, shift: number): void {
    if (old?.kind === "branch" && now?.kind === "branch" && old.bitmap === now.bitmap) {
      for (let at = 0; at < old.children.length; at += 1) {
        this.#push(old.children[at], now.children[at], shift + 5);
      }
      return;
    }
    for (let rest = bitsOf(old, shift) | bitsOf(now, shift); rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest;
      this.#push(below(old, bit, shift), below(now, bit, shift), shift + 5);
    }
  }
}

/** A stack of node pairs to compare: two different nodes at the same position of the old and the new trie. */
interface OpenPair<V> {
  readonly old: TrieNode<V> | undefined;
  readonly now: TrieNode<V> | undefined;
  /** The number of hash bits that the path to this position uses. */
  readonly shift: number;
  readonly next: OpenPair<V> | undefined;
}

/**
 * True if the pair is a single difference: no leaf is a chain, and either a leaf is missing or both have the same key.
 */
const isAlone = <V>(old: Leaf<V> | undefined, now: Leaf<V> | undefined): boolean =>
  old?.next === undefined &&
  now?.next === undefined &&
  (old === undefined || now === undefined || (old.key === now.key && old.value !== now.value));

function chainDifferences<V>(
  old: Leaf<V> | undefined,
  now: Leaf<V> | undefined,
): TrieDifference<V>[] {
  const differences: TrieDifference<V>[] = [];
  const left = new Map<string, V>();
  for (let leaf = now; leaf; leaf = leaf.next) left.set(leaf.key, leaf.value);
  for (let leaf = old; leaf; leaf = leaf.next) {
    const after = left.get(leaf.key);
    left.delete(leaf.key);
    if (after !== leaf.value) differences.push({ before: leaf.value, after });
  }
  for (const after of left.values()) differences.push({ before: undefined, after });
  return differences;
}

/** Returns the bitmap of a node. A leaf has the bitmap of a branch with one child. */
const bitsOf = <V>(node: TrieNode<V> | undefined, shift: number): number =>
  node?.kind === "branch" ? node.bitmap : node === undefined ? 0 : bitOf(node.hash, shift);

function below<V>(
  node: TrieNode<V> | undefined,
  bit: number,
  shift: number,
): TrieNode<V> | undefined {
  if (node?.kind === "branch") return childOf(node, bit);
  return node !== undefined && bitOf(node.hash, shift) === bit ? node : undefined;
}

const childOf = <V>(branch: Branch<V>, bit: number): TrieNode<V> | undefined =>
  (branch.bitmap & bit) === 0 ? undefined : branch.children[indexOf(branch.bitmap, bit)];

function find<V>(root: TrieNode<V> | undefined, hash: number, key: string): V | undefined {
  let node = root;
  for (let shift = 0; node?.kind === "branch"; shift += 5) {
    const bit = bitOf(hash, shift);
    node = (node.bitmap & bit) === 0 ? undefined : node.children[indexOf(node.bitmap, bit)];
  }
  let leaf = node;
  while (leaf !== undefined && leaf.key !== key) leaf = leaf.next;
  return leaf?.value;
}

function insert<V>(node: TrieNode<V>, leaf: Leaf<V>, shift: number): TrieNode<V> {
  if (node.kind === "leaf") {
    if (node.hash !== leaf.hash) return fork(node, leaf, shift);
    return new Leaf(leaf.hash, leaf.key, leaf.value, dropKey(node, leaf.key));
  }
  const bit = bitOf(leaf.hash, shift);
  const index = indexOf(node.bitmap, bit);
  const child = (node.bitmap & bit) === 0 ? undefined : node.children[index];
  const children = node.children.slice();
  if (child === undefined) children.splice(index, 0, leaf);
  else children[index] = insert(child, leaf, shift + 5);
  return { kind: "branch", bitmap: node.bitmap | bit, children };
}

function fork<V>(left: Leaf<V>, right: Leaf<V>, shift: number): Branch<V> {
  const [leftBit, rightBit] = [bitOf(left.hash, shift), bitOf(right.hash, shift)];
  if (leftBit === rightBit) {
    return { kind: "branch", bitmap: leftBit, children: [fork(left, right, shift + 5)] };
  }
  const leftIsFirst = leftBit >>> 0 < rightBit >>> 0;
  return {
    kind: "branch",
    bitmap: leftBit | rightBit,
    children: leftIsFirst ? [left, right] : [right, left],
  };
}

function without<V>(
  node: TrieNode<V>,
  hash: number,
  key: string,
  shift: number,
): TrieNode<V> | undefined {
  if (node.kind === "leaf") return dropKey(node, key);
  const bit = bitOf(hash, shift);
  const index = indexOf(node.bitmap, bit);
  const child = node.children[index];
  if (child === undefined) return node;
  const left = without(child, hash, key, shift + 5);
  const children = node.children.slice();
  if (left === undefined) children.splice(index, 1);
  else children[index] = left;
  const [only] = children;
  if (only === undefined) return undefined;
  // A branch with a single leaf becomes the leaf, so that equal maps have equal shapes.
  if (children.length === 1 && only.kind === "leaf") return only;
  return {
    kind: "branch",
    bitmap: left === undefined ? node.bitmap & ~bit : node.bitmap,
    children,
  };
}

function dropKey<V>(leaf: Leaf<V>, key: string): Leaf<V> | undefined {
  if (leaf.key === key) return leaf.next;
  if (leaf.next === undefined) return leaf;
  return new Leaf(leaf.hash, leaf.key, leaf.value, dropKey(leaf.next, key));
}

const bitOf = (hash: number, shift: number): number => 1 << ((hash >>> shift) & 31);

// Returns the index of a child: the number of set bits below its bit.
function indexOf(bitmap: number, bit: number): number {
  let bits = bitmap & (bit - 1);
  bits -= (bits >>> 1) & 0x55555555;
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Returns the FNV-1a hash over UTF-16 code units, as a signed 32-bit integer. */
export function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  }
  // Signed, because V8 boxes larger integers.
  return hash | 0;
}
