import { describe, expect, test } from "bun:test";
import { Failure } from "#contract/failures";
import { responseOf } from "../../../src/lib/open-file.ts";
import type { Change } from "../../../src/stores/changes.ts";
import type { ObjectStore } from "../../../src/stores/store.ts";
import { makeMove, type PlannedMove, planned, settleMove } from "../../../src/transfers/moves.ts";
import { openDiskStore } from "../../support/stores/disk-store.ts";

/** Moves on a storage that only knows keys, which are killed or refused at each of their steps: what is left is the old or the new. */

interface Case {
  readonly old: readonly string[];
  readonly coming: readonly string[];
  readonly from: string;
  readonly to: string;
}

const cases: Readonly<Record<string, Case>> = {
  "a file to a free key": { old: [], coming: ["f"], from: "f", to: "t" },
  "a file over a file": { old: ["t"], coming: ["f"], from: "f", to: "t" },
  "a folder to a free key": { old: [], coming: ["f/1", "f/2", "f/g/3"], from: "f/", to: "t/" },
  "a folder over a folder": { old: ["t/1", "t/9", "t/o/8"], coming: ["f/1", "f/2", "f/g/3"], from: "f/", to: "t/" },
};

const place = (key: string) => ({ storage: "s", key });
const CONFIRMED = async () => undefined;

/** Whether a step that a process does not live through was done all the same. */
type End = "before" | "after";

/** What happens at the step of this number: nothing follows it, or it is refused; it may have been made all the same. */
interface Fault {
  readonly step: number;
  readonly kind: "killed" | "refused";
  readonly end: End;
}

class Killed extends Error {}

/** A store without folders of its own, in which a fault happens at one of the steps that change something. */
function faulty(store: ObjectStore, { step, kind, end }: Fault) {
  let steps = 0;
  const doing = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    steps += 1;
    if (kind === "killed" && steps > step) throw new Killed();
    if (steps !== step) return await work();
    if (end === "after") await work();
    throw kind === "killed" ? new Killed() : new Failure("storage.refused");
  };
  const inner: ObjectStore = { ...store, tree: undefined };
  return {
    doing,
    steps: () => steps,
    store: {
      ...inner,
      copy: (...given) => doing(() => inner.copy(...given)),
      remove: (...given) => doing(() => inner.remove(...given)),
    } satisfies ObjectStore,
  };
}

async function open({ old, coming, from, to }: Case, fault: Fault) {
  const disk = await openDiskStore();
  const { store } = disk;
  for (const key of [...old, ...coming]) await store.put(key, new Response(`of ${key}`), { type: "text/plain" });
  const told: Change[] = [];
  const replaced = old.length > 0 && to.endsWith("/") ? { replaced: to, aside: ".satchel-staging-1" } : {};
  const over = old.length > 0 && !to.endsWith("/") ? ({ over: true } as const) : {};
  const plain = { ...store, tree: undefined };
  let record: PlannedMove = planned(plain, { kind: "moved", from: place(from), to: place(to), ...replaced, ...over });
  const spoilt = faulty(store, fault);
  const follow = async (change: Change) => void told.push(change);
  const note = async (move: PlannedMove) => {
    record = move;
  };
  const common = { beforeCommit: CONFIRMED, requireOwn: CONFIRMED, outdated: () => undefined };
  return {
    told,
    steps: spoilt.steps,
    make: () =>
      makeMove({
        ...common,
        store: spoilt.store,
        move: record,
        note: (move) => spoilt.doing(() => note(move)),
        tell: (change) => spoilt.doing(() => follow(change)),
      }),
    settle: () => settleMove({ ...common, store: plain, move: record, note, tell: follow }),
    /** Texts by their keys. */
    async texts() {
      const all: Record<string, string> = {};
      for (const { key } of (await store.list({ prefix: "", limit: 100 })).objects) {
        const found = key.endsWith("/") ? undefined : await store.get(key);
        if (found) all[key] = await responseOf(found.body).text();
      }
      return all;
    },
    [Symbol.asyncDispose]: () => disk[Symbol.asyncDispose](),
  };
}

const before = ({ old, coming }: Case) => Object.fromEntries([...old, ...coming].map((key) => [key, `of ${key}`]));
const after = ({ coming, from, to }: Case) =>
  Object.fromEntries(coming.map((key) => [to + key.slice(from.length), `of ${key}`]));

/** Makes a move once for each of its steps, with a fault at that. */
async function atEachStep(
  one: Case,
  how: Omit<Fault, "step">,
  check: (here: Awaited<ReturnType<typeof open>>) => Promise<void>,
) {
  for (let step = 1; ; step++) {
    await using here = await open(one, { ...how, step });
    const failed = await here.make().then(
      () => false,
      () => true,
    );
    if (!failed && here.steps() < step) return step - 1;
    await here.settle();
    await check(here);
  }
}

describe.each(["before", "after"] as const)("a move that ends %s a step", (end) => {
  test.each(Object.entries(cases))("because it is killed: %s", async (_, one) => {
    const steps = await atEachStep(one, { kind: "killed", end }, async (here) => {
      const texts = await here.texts();
      const isOld = Bun.deepEquals(texts, before(one));
      expect({ step: here.steps(), texts }).toEqual({ step: here.steps(), texts: isOld ? before(one) : after(one) });
      expect(here.told.some(({ kind }) => kind === "moved")).toBe(!isOld);
    });
    expect(steps).toBeGreaterThan(2);
  });

  test.each(Object.entries(cases))("because the storage refuses it: %s", async (_, one) => {
    await atEachStep(one, { kind: "refused", end }, async (here) => {
      const texts = await here.texts();
      const isOld = Bun.deepEquals(texts, before(one));
      expect({ step: here.steps(), texts }).toEqual({ step: here.steps(), texts: isOld ? before(one) : after(one) });
    });
  });
});

test("what others write meanwhile stays when a move is brought to an end", async () => {
  const one = cases["a folder over a folder"] as Case;
  await using disk = await openDiskStore();
  const store = { ...disk.store, tree: undefined };
  const put = (key: string, text: string) => store.put(key, new Response(text), { type: "text/plain" });
  for (const key of [...one.old, ...one.coming]) await put(key, `of ${key}`);
  const aside = ".satchel-staging-1";
  for (const key of one.old) await store.copy(key, aside + key.slice(1));
  await put("t/2", "another's");
  await put("t/9", "another's");
  const move = { kind: "moved", from: place("f/"), to: place("t/"), replaced: "t/", aside } as const;
  const nothing = async () => undefined;
  const moving = {
    store,
    beforeCommit: nothing,
    note: nothing,
    requireOwn: nothing,
    tell: nothing,
    outdated: () => undefined,
  };
  await settleMove({ ...moving, move: { ...move, phase: "undo" } });
  const texts = async (...keys: string[]) =>
    await Promise.all(keys.map(async (key) => responseOf((await store.get(key))?.body).text()));
  expect(await texts("t/1", "t/2", "t/9", "t/o/8", "f/1", "f/2")).toEqual([
    ...["of t/1", "another's", "another's", "of t/o/8", "of f/1", "of f/2"],
  ]);
  for (const key of one.old) await store.copy(key, aside + key.slice(1));
  await put("t/9", "another's once more");
  await settleMove({ ...moving, move });
  expect(await texts("t/1", "t/2", "t/9", "t/g/3", "f/2")).toEqual([
    ...["of f/1", "another's", "another's once more", "of f/g/3", "of f/2"],
  ]);
});

test("a server that was only frozen goes on with nothing that another one has taken over", async () => {
  const one = cases["a folder to a free key"] as Case;
  await using disk = await openDiskStore();
  const store: ObjectStore = { ...disk.store, tree: undefined };
  for (const key of one.coming) await store.put(key, new Response(`of ${key}`), { type: "text/plain" });
  const { promise: frozen, resolve: freeze } = Promise.withResolvers<void>();
  const { promise: thaw, resolve: melt } = Promise.withResolvers<void>();
  let isMine = true;
  const move = { kind: "moved", from: place("f/"), to: place("t/") } as const;
  const nothing = async () => undefined;
  const requireOwn = async () => {
    if (!isMine) throw new Killed();
  };
  const common = { move, beforeCommit: nothing, tell: nothing, outdated: () => undefined };
  const slow: ObjectStore = {
    ...store,
    async copy(from, to, options) {
      if (from === "f/2") freeze();
      if (from === "f/2") await thaw;
      return await store.copy(from, to, options);
    },
  };
  const first = makeMove({ ...common, store: slow, note: requireOwn, requireOwn });
  await frozen;
  isMine = false;
  await settleMove({ ...common, store, note: nothing, requireOwn: nothing });
  melt();
  await expect(first).rejects.toBeInstanceOf(Killed);
  const { objects } = await store.list({ prefix: "", limit: 100 });
  expect(objects.map(({ key }) => key).filter((key) => !key.endsWith("/"))).toEqual(["t/1", "t/2", "t/g/3"]);
});
