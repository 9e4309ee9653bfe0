import { afterEach, describe, expect, test } from "bun:test";
import { createCall } from "../../../web/api/call.ts";
import type { Entry } from "../../../web/features/explorer/model/entry.ts";
import { createOperations } from "../../../web/features/explorer/model/operations.ts";
import { noOutcome } from "../../../web/features/explorer/model/outcome.ts";
import { createUndo } from "../../../web/features/explorer/model/undo.ts";
import { createStore } from "../../../web/lib/store.ts";
import { answer, fakeServer, refusal, type Seen } from "../../support/page-servers/fake-server.ts";

/** What becomes of several files of which some could not be moved or copied, when the name of one begins with that of another. */

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one[Symbol.asyncDispose]();
});

const entries = ["/m/a.txt", "/m/a.txt.bak"].map(
  (path) => ({ path, name: path.slice(3), isDirectory: false }) as Entry,
);

const taskOf =
  (state: string) =>
  ({ path }: Entry) => ({ kind: "copy", source: path, target: null, state });

interface Ended {
  readonly message?: string;
  /** The code with which each of these paths failed. */
  readonly failures: Readonly<Record<string, string>>;
}

/** A page before a server with these answers to a rename; a job that copies ends as told. */
function world(renamed: (seen: Seen) => Response, { message, failures }: Ended = { failures: {} }) {
  const server = fakeServer({
    "GET /fs/list": () => answer({ data: { items: [], next_cursor: null } }),
    "POST /fs/rename": renamed,
    "POST /fs/jobs": () => answer({ data: { id: "b" } }),
  });
  open.push(server);
  const job = {
    state: "failed",
    tasks: entries.map(taskOf("failed")),
    skipped_files: 0,
    failures: Object.entries(failures).map(([path, error]) => ({ path, error, message: error })),
    error: null,
    message: message ?? null,
  };
  const carried: string[] = [];
  const state = createStore({ authType: "none", lastValidated: 0 } as const);
  const operations = createOperations({
    call: createCall({ base: () => `${server.base}/api`, credential: { state }, language: () => "en" }),
    feed: { follow: async () => job as never },
    signedIn: () => true,
    async copyInBrowser(transfers) {
      carried.push(...transfers.map(({ from }) => from));
      return { ...noOutcome, done: transfers };
    },
    ask: async () => undefined,
    renew: async () => undefined,
    showMoved: () => undefined,
    undo: createUndo(),
    onDone: () => undefined,
  });
  const renames = () =>
    server.seen
      .filter(({ line }) => line === "POST /fs/rename")
      .map(({ body }) => (body as { oldPath: string }).oldPath);
  return { operations, carried, renames };
}

test("what is told of a step ends when it was undone, by whatever way, or forgotten", async () => {
  const undo = createUndo();
  const steps = ["a", "b"].map((name) => [{ from: `/m/${name}`, to: `/n/${name}` }]);
  for (const step of steps) undo.note(step);
  const over: string[] = [];
  const ends = steps.map((step, at) => undo.over(step).then(() => over.push(String(at))));
  // By Ctrl+Z, which names no step.
  undo.take();
  await ends[1];
  expect(over).toEqual(["1"]);
  undo.forget();
  await ends[0];
  expect(over).toEqual(["1", "0"]);
});

test("a retry takes only what has failed", async () => {
  let isRepaired = false;
  const { operations, renames } = world(({ body }) => {
    const fails = (body as { oldPath: string }).oldPath === "/m/a.txt.bak" && !isRepaired;
    return fails ? refusal("path.locked") : answer();
  });
  const { failed } = await operations.move(entries, "/m/to");
  expect(failed.map(({ path, code }) => [path, code])).toEqual([["/m/a.txt.bak", "path.locked"]]);
  isRepaired = true;
  operations.notes.get()[0]?.retry?.();
  while (operations.notes.get().some(({ running }) => running)) await Bun.sleep(1);
  expect(operations.notes.get()).toEqual([]);
  expect(renames()).toEqual(["/m/a.txt", "/m/a.txt.bak", "/m/a.txt.bak"]);
});

test("what failed without a line of its own is told, whatever else has failed", async () => {
  const { operations } = world(() => refusal("route.missing"), {
    message: "It has ended early.",
    failures: { "/m/a.txt.bak": "path.locked" },
  });
  const { failed } = await operations.copy(entries, "/m/to");
  expect(failed.map(({ path, reason }) => [path, reason])).toEqual([
    ["/m/a.txt.bak", "path.locked"],
    ["/m/a.txt", "It has ended early."],
  ]);
});

test("the browser carries only what the server could not reach", async () => {
  const { operations, carried } = world(() => refusal("route.missing"), {
    failures: { "/m/a.txt": "path.forbidden", "/m/a.txt.bak": "storage.unreachable" },
  });
  const { failed } = await operations.copy(entries, "/m/to");
  expect(carried).toEqual(["/m/a.txt.bak"]);
  expect(failed.map(({ path }) => path)).toEqual(["/m/a.txt"]);
});

describe("another try of what was cancelled", () => {
  const folder = { path: "/m/films/", name: "films", isDirectory: true } as Entry;

  /** A page whose jobs end as they are told to; the target folder has what they have begun. */
  function cancelling(ends: string[]) {
    const names: string[] = [];
    const asked: string[] = [];
    const server = fakeServer({
      "GET /fs/list": () => answer({ data: { items: names.map((name) => ({ name })), next_cursor: null } }),
      "POST /fs/rename": () => refusal("path.otherMount"),
      "POST /fs/jobs": ({ body }) => {
        const { tasks } = body as { tasks: { target: string }[] };
        names.push(...tasks.map(({ target }) => target.split("/").at(-2) ?? ""));
        return answer({ data: { id: "b" } });
      },
    });
    open.push(server);
    const follow = async () => {
      const state = ends.shift();
      const tasks = [{ kind: "copy", source: folder.path, target: null, state }];
      return { state, tasks, skipped_files: 0, failures: [], error: null, message: null } as never;
    };
    const state = createStore({ authType: "none", lastValidated: 0 } as const);
    const operations = createOperations({
      call: createCall({ base: () => `${server.base}/api`, credential: { state }, language: () => "en" }),
      feed: { follow },
      signedIn: () => true,
      copyInBrowser: async () => noOutcome,
      async ask({ name }) {
        asked.push(name);
        return undefined;
      },
      renew: async () => undefined,
      showMoved: () => undefined,
      undo: createUndo(),
      onDone: () => undefined,
    });
    const tasks = () =>
      server.seen
        .filter(({ line }) => line === "POST /fs/jobs")
        .flatMap(({ body }) => (body as { tasks: { target: string; skipExisting: boolean }[] }).tasks)
        .map(({ target, skipExisting }) => [target, skipExisting]);
    const again = async () => {
      operations.notes.get()[0]?.retry?.();
      while (operations.notes.get().some(({ running }) => running)) await Bun.sleep(1);
    };
    return { operations, asked, tasks, again };
  }

  test.each(["copy", "move"] as const)("of a %s goes on where it ended, and asks nothing", async (verb) => {
    const { operations, asked, tasks, again } = cancelling(["cancelled", "cancelled", "completed"]);
    const { failed } = await operations[verb]([folder], "/n");
    expect(failed.map(({ path, code }) => [path, code])).toEqual([[folder.path, "cancelled"]]);
    await again();
    await again();
    expect(operations.notes.get()).toEqual([]);
    expect(asked).toEqual([]);
    expect(tasks()).toEqual(Array.from({ length: 3 }, () => ["/n/films/", true]));
  });

  test("of a copy beside itself goes on with that copy, and begins no other", async () => {
    const { operations, tasks, again } = cancelling(["cancelled", "completed"]);
    await operations.copy([folder], "/m");
    await again();
    expect(new Set(tasks().map(([target]) => target)).size).toBe(1);
  });

  test("is another operation, which asks, when it is begun anew", async () => {
    const { operations, asked } = cancelling(["cancelled"]);
    await operations.copy([folder], "/n");
    await operations.copy([folder], "/n");
    expect(asked).toEqual(["films"]);
  });
});
