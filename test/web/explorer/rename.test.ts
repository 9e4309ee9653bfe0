import { afterEach, describe, expect, test } from "bun:test";
import { createCall } from "../../../web/api/call.ts";
import type { Entry } from "../../../web/features/explorer/model/entry.ts";
import { createOperations } from "../../../web/features/explorer/model/operations.ts";
import { type Moved, noOutcome, placesAfter } from "../../../web/features/explorer/model/outcome.ts";
import { createUndo } from "../../../web/features/explorer/model/undo.ts";
import { applied, changed, newNames, type Rule } from "../../../web/features/explorer/rename/new-names.ts";
import { linesOf } from "../../../web/features/explorer/rename/order.ts";
import { createStore } from "../../../web/lib/store.ts";
import { answer, fakeServer, refusal } from "../../support/page-servers/fake-server.ts";

/** New names for several files at once: what they are, and the order in which each is given. */

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one[Symbol.asyncDispose]();
});

const entryOf = (name: string, part: Partial<Entry> = {}): Entry =>
  ({ name, path: `/m/${name}`, isDirectory: false, modified: "2026-03-04T12:00:00.000Z", ...part }) as Entry;

/** What a rule makes of these names, and what is wrong with each. */
function made(rule: Rule, entries: readonly Entry[], { keepsEnding = true, others = [] as string[] } = {}) {
  const parts = applied(
    rule,
    entries,
    entries.map((entry) => changed(entry, keepsEnding)),
  );
  const taken = new Set([...entries.map(({ name }) => name), ...others]);
  return newNames({ entries, parts, keepsEnding, taken }).map(({ name, wrong }) =>
    wrong ? `${name}: ${wrong}` : name,
  );
}

const replace = (find: string, instead: string): Rule => ({ kind: "replace", find, instead });
const pattern = (text: string, start = "1"): Rule => ({ kind: "pattern", pattern: text, start });

describe("new names", () => {
  const files = [entryOf("IMG_1.jpg"), entryOf("IMG_2.jpg")];

  test.each<[string, Rule, string[]]>([
    ["a text is another wherever it stands", replace("IMG_", "Rome "), ["Rome 1.jpg", "Rome 2.jpg"]],
    ["the ending of a file stays", replace("jpg", "png"), ["IMG_1.jpg", "IMG_2.jpg"]],
    ["what looks like a group is taken as it is", replace("IMG", "$&$1"), ["$&$1_1.jpg", "$&$1_2.jpg"]],
    ["nothing to look for changes nothing", replace("", "x"), ["IMG_1.jpg", "IMG_2.jpg"]],
    ["numbers have the digits of the first", pattern("{n} of {name}", "009"), ["009 of IMG_1.jpg", "010 of IMG_2.jpg"]],
    ["the day of the last change", pattern("{date} {n}"), ["2026-03-04 1.jpg", "2026-03-04 2.jpg"]],
    ["other braces are letters", pattern("{x}{n}"), ["{x}1.jpg", "{x}2.jpg"]],
  ])("%s", (_, rule, expected) => {
    expect(made(rule, files)).toEqual(expected);
  });

  test("folders have no ending, and that of files goes where it may", () => {
    expect(made(replace("v1.0", "v2"), [entryOf("v1.0", { isDirectory: true, path: "/m/v1.0/" })])).toEqual(["v2"]);
    expect(made(replace(".jpeg", ".jpg"), [entryOf("a.jpeg")], { keepsEnding: false })).toEqual(["a.jpg"]);
    expect(made(replace("x", "y"), [entryOf(".gitignore"), entryOf(" x ")])).toEqual([".gitignore", "y"]);
  });

  test("what cannot be given is marked, and a name that is given up can be", () => {
    expect(made(pattern("same"), files)).toEqual(["same.jpg: twice", "same.jpg: twice"]);
    expect(made(replace("1", "3"), files, { others: ["IMG_3.jpg"] })).toEqual(["IMG_3.jpg: taken", "IMG_2.jpg"]);
    expect(made(replace("1", "2"), files)).toEqual(["IMG_2.jpg: taken", "IMG_2.jpg"]);
    expect(made(pattern("IMG_{n}", "2"), files)).toEqual(["IMG_2.jpg", "IMG_3.jpg"]);
    expect(made(replace("IMG", "a/b"), files)[0]).toBe("a/b_1.jpg: illegal");
    expect(made(replace("a", ""), [entryOf("a")])).toEqual([": illegal"]);
    expect(made(replace("a", "b".repeat(256)), [entryOf("a.txt")])[0]).toEndWith(": long");
    expect(made(replace("a", "短".repeat(90)), [entryOf("a.txt")])[0]).toEndWith(": long");
    expect(made(pattern("{date}"), [entryOf("a.txt", { modified: null })])).toEqual(["a.txt: dateless"]);
  });

  test("a bucket's name that no disk takes may be changed, but gets no longer", () => {
    const long = "短".repeat(90);
    expect(made(replace("短短", "长长"), [entryOf(long)])).toEqual(["长".repeat(90)]);
    expect(made(replace("短短", "长长长"), [entryOf(long)])[0]).toEndWith(": long");
  });
});

/** A folder that renames as the server does: never over something. */
function folderOf(names: readonly string[]) {
  const content = new Map(names.map((name) => [`/m/${name}`, name]));
  return {
    content,
    rename({ from, to }: Moved): boolean {
      const what = content.get(from);
      if (what === undefined || content.has(to)) return false;
      content.delete(from);
      content.set(to, what);
      return true;
    },
  };
}

const moved = (from: string, to: string): Moved => ({ from: `/m/${from}`, to: `/m/${to}` });

describe("the order of renames", () => {
  const letters = ["a", "b", "c", "d", "e", "f"];

  test("is right for every way in which names can pass to one another", () => {
    const names = ["1", "2", "3", "4"];
    const targets = [...names, "5", "6"];
    const choose = (left: readonly string[], given: readonly string[]): void => {
      if (left.length > 0) {
        for (const to of targets) if (!given.includes(to)) choose(left.slice(1), [...given, to]);
        return;
      }
      const wanted = names.map((from, at) => moved(from, given[at] ?? "")).filter(({ from, to }) => from !== to);
      const taken = new Set([...names, "1 (1)"]);
      const folder = folderOf([...taken]);
      for (const { moves } of linesOf(wanted, taken)) for (const move of moves) expect(folder.rename(move)).toBe(true);
      const is = Object.fromEntries([...folder.content].map(([path, what]) => [what, path.slice(3)]));
      const expected = Object.fromEntries(names.map((name, at) => [name, given[at] ?? ""]));
      expect(is).toEqual({ ...expected, "1 (1)": "1 (1)" });
    };
    choose(names, []);
  });

  test("files and folders pass names on to one another", () => {
    const wanted = [
      { from: "/m/a", to: "/m/b" },
      { from: "/m/b/", to: "/m/a/" },
    ];
    const [line] = linesOf(wanted, new Set(["a", "b"]));
    expect(line?.moves).toEqual([
      { from: "/m/a", to: "/m/a (1)" },
      { from: "/m/b/", to: "/m/a/" },
      { from: "/m/a (1)", to: "/m/b" },
    ]);
  });

  test("a thousand that wait for each other are one line", () => {
    const wanted = Array.from({ length: 1000 }, (_, at) => moved(String(at), String(at + 1)));
    const lines = linesOf(wanted, new Set(wanted.map((_, at) => String(at))));
    expect(lines.map(({ moves }) => moves.length)).toEqual([1000]);
    expect(lines[0]?.moves[0]).toEqual(moved("999", "1000"));
  });

  /** A page before a server that renames in such a folder, and refuses what it is told to. */
  function world(
    refuses: (from: string, nth: number) => boolean = () => false,
    after: () => unknown = () => undefined,
  ) {
    const folder = folderOf(letters);
    let nth = 0;
    const server = fakeServer({
      "POST /fs/rename"({ body }) {
        const { oldPath: from, newPath: to } = body as { oldPath: string; newPath: string };
        nth += 1;
        if (refuses(from.slice(3), nth)) return refusal("path.locked");
        const isDone = folder.rename({ from, to });
        after();
        return isDone ? answer() : refusal("path.taken");
      },
    });
    open.push(server);
    const renewed: string[][] = [];
    const state = createStore({ authType: "none", lastValidated: 0 } as const);
    const undo = createUndo();
    const operations = createOperations({
      call: createCall({ base: () => `${server.base}/api`, credential: { state }, language: () => "en" }),
      feed: { follow: async () => ({}) as never },
      signedIn: () => true,
      copyInBrowser: async () => noOutcome,
      ask: async () => undefined,
      showMoved: () => undefined,
      renew: async (...folders) => void renewed.push(folders),
      undo,
      onDone: () => undefined,
    });
    const now = () => [...folder.content].map(([path, what]) => `${what}=${path.slice(3)}`).sort();
    return { operations, now, undo, renewed, taken: new Set(letters) };
  }
  const swap = [moved("a", "b"), moved("b", "a"), moved("c", "g")];

  test("is kept before the server, the folder is loaded once, and one undo takes all back", async () => {
    const { operations, now, renewed, taken } = world();
    const { done, failed } = await operations.renameAll(swap, taken);
    expect(failed).toEqual([]);
    expect(placesAfter(done).sort()).toEqual(["/m/a", "/m/b", "/m/g"]);
    expect(now()).toEqual(["a=b", "b=a", "c=g", "d=d", "e=e", "f=f"]);
    expect(renewed).toHaveLength(1);
    await operations.undo();
    expect(now()).toEqual(letters.map((name) => `${name}=${name}`));
  });

  test("a circle that cannot be closed is taken back, and tried again", async () => {
    let isLocked = true;
    const { operations, now, taken } = world((from) => from === "b" && isLocked);
    const { failed } = await operations.renameAll(swap, taken);
    expect(failed.map(({ path, code }) => `${path} ${code}`)).toEqual(["/m/a path.locked", "/m/b path.locked"]);
    expect(now()).toEqual(["a=a", "b=b", "c=g", "d=d", "e=e", "f=f"]);
    isLocked = false;
    operations.notes.get()[0]?.retry?.();
    while (operations.notes.get().length > 0) await Bun.sleep(1);
    expect(now()).toEqual(["a=b", "b=a", "c=g", "d=d", "e=e", "f=f"]);
  });

  test("one that is left aside is tried again from there", async () => {
    // The rename aside is made; then nothing is, not even the way back.
    let isLocked = true;
    const { operations, now, taken } = world((_, nth) => nth > 1 && isLocked);
    const { failed } = await operations.renameAll([moved("a", "b"), moved("b", "a")], taken);
    expect(failed.map(({ path }) => path)).toEqual(["/m/a (1)", "/m/b"]);
    expect(now()).toContain("a=a (1)");
    isLocked = false;
    operations.notes.get()[0]?.retry?.();
    while (operations.notes.get().length > 0) await Bun.sleep(1);
    expect(now()).toEqual(["a=b", "b=a", "c=c", "d=d", "e=e", "f=f"]);
  });

  test("who cancels leaves no circle open, and nothing is lost", async () => {
    const { operations, now, taken } = world(undefined, () => operations.notes.get()[0]?.cancel?.());
    const circle = ["b", "c", "d", "e", "f", "a"].map((to, at) => moved(letters[at] ?? "", to));
    const { failed } = await operations.renameAll(circle, taken);
    expect(failed).toEqual([]);
    expect(now()).toEqual(["a=b", "b=c", "c=d", "d=e", "e=f", "f=a"]);
    const line = ["b", "c", "d", "e", "f", "g"].map((to, at) => moved(letters[at] ?? "", to));
    const { done, failed: left } = await operations.renameAll(line, taken);
    expect([done.map(({ to }) => to), new Set(left.map(({ code }) => code))]).toEqual([
      ["/m/g"],
      new Set(["cancelled"]),
    ]);
    expect(now()).toEqual(["a=b", "b=c", "c=d", "d=e", "e=g", "f=a"]);
  });
});
