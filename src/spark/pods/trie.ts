/**
 * A map from text that never changes: `set` and `remove` give a new one, which shares all but the few
 * nodes on the way to the key (a hash trie of 32-way branches, with bitmaps for what is absent).
 */
export interface Trie<V> {
  readonly size: number;
  readonly root: TrieNode<V> | undefined;
}

export type TrieNode<V> = Branch<V> | Leaf<V>;

interface Branch<V> {
  readonly kind: "branch";
  /** Bit n is set if there is a child for the five hash bits n. */
  readonly bitmap: number;
  readonly children: readonly TrieNode<V>[];
}

interface Leaf<V> {
  readonly kind: "leaf";
  readonly hash: number;
  readonly key: string;
  readonly value: V;
  /** Keys of the same hash: rare, and so a chain will do. */
  readonly next: Leaf<V> | undefined;
}

export const emptyTrie: Trie<never> = Object.freeze({ size: 0, root: undefined });

export const trieGet = <V>(trie: Trie<V>, key: string): V | undefined =>
  find(trie.root, hashOf(key), key);

export function trieSet<V>(trie: Trie<V>, key: string, value: V): Trie<V> {
  const leaf: Leaf<V> = { kind: "leaf", hash: hashOf(key), key, value, next: undefined };
  if (trie.root === undefined) return { size: 1, root: leaf };
  const grows = find(trie.root, leaf.hash, key) === undefined;
  return { size: trie.size + (grows ? 1 : 0), root: insert(trie.root, leaf, 0) };
}

export function trieRemove<V>(trie: Trie<V>, key: string): Trie<V> {
  const hash = hashOf(key);
  if (trie.root === undefined || find(trie.root, hash, key) === undefined) return trie;
  return { size: trie.size - 1, root: without(trie.root, hash, key, 0) };
}

/** Each value once, in an order that is the trie's own. */
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

/**
 * Each key whose value is not the same in both, as it was and as it is. What the two share is not looked
 * at, so two states of one map are told apart at the price of what was set and removed in between.
 */
export function* trieDifferences<V>(
  before: Trie<V>,
  after: Trie<V>,
): Generator<Difference<V>, void, undefined> {
  const open: (TrieNode<V> | undefined)[] = [before.root, after.root];
  while (open.length > 0) {
    const now = open.pop();
    const old = open.pop();
    if (old === now) continue;
    if (isBranchOrNothing(old) && isBranchOrNothing(now)) pushChildren(open, old, now);
    else if (old?.kind === "leaf" && now?.kind === "leaf" && isOnly(old, now)) {
      yield { before: old.value, after: now.value };
    } else yield* leafDifferences(old, now);
  }
}

const isOnly = <V>(old: Leaf<V>, now: Leaf<V>): boolean =>
  old.key === now.key &&
  old.next === undefined &&
  now.next === undefined &&
  old.value !== now.value;

/** Those pairs of children that are not the same. */
function pushChildren<V>(
  open: (TrieNode<V> | undefined)[],
  old: Branch<V> | undefined,
  now: Branch<V> | undefined,
): void {
  if (old?.bitmap === now?.bitmap) {
    const [olds, nows] = [old?.children ?? [], now?.children ?? []];
    for (let at = 0; at < olds.length; at += 1) {
      if (olds[at] !== nows[at]) open.push(olds[at], nows[at]);
    }
    return;
  }
  for (let rest = (old?.bitmap ?? 0) | (now?.bitmap ?? 0); rest !== 0; rest &= rest - 1) {
    const bit = rest & -rest;
    const [oldChild, nowChild] = [childOf(old, bit), childOf(now, bit)];
    if (oldChild !== nowChild) open.push(oldChild, nowChild);
  }
}

export interface Difference<V> {
  readonly before: V | undefined;
  readonly after: V | undefined;
}

// At least one of the two is a leaf, so that there is little on one side to look through.
function* leafDifferences<V>(
  old: TrieNode<V> | undefined,
  now: TrieNode<V> | undefined,
): Generator<Difference<V>, void, undefined> {
  const left = new Map<string, V>();
  for (const { key, value } of leavesOf(now)) left.set(key, value);
  for (const { key, value } of leavesOf(old)) {
    const after = left.get(key);
    left.delete(key);
    if (after !== value) yield { before: value, after };
  }
  for (const after of left.values()) yield { before: undefined, after };
}

const isBranchOrNothing = <V>(node: TrieNode<V> | undefined): node is Branch<V> | undefined =>
  node?.kind !== "leaf";

const childOf = <V>(branch: Branch<V> | undefined, bit: number): TrieNode<V> | undefined =>
  branch === undefined || (branch.bitmap & bit) === 0
    ? undefined
    : branch.children[indexOf(branch.bitmap, bit)];

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
    return { ...leaf, next: dropKey(node, leaf.key) };
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
  // A branch with a single leaf is the leaf, so that equal contents have equal shapes.
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
  return { ...leaf, next: dropKey(leaf.next, key) };
}

const bitOf = (hash: number, shift: number): number => 1 << ((hash >>> shift) & 31);

// How many children stand before the one of this bit: the bits that are set below it.
function indexOf(bitmap: number, bit: number): number {
  let bits = bitmap & (bit - 1);
  bits -= (bits >>> 1) & 0x55555555;
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

// FNV-1a over UTF-16 code units.
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  }
  // Signed, as the engine keeps larger numbers in a box of their own.
  return hash | 0;
}
