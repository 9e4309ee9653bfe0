import { describe, expect, test } from "bun:test";
import type { FolderNews } from "#contract/fs/fs";
import { ApiFailure } from "../../../web/api/failure.ts";
import type { Events } from "../../../web/api/transport/event-stream.ts";
import { type FoldersAround, followFolder } from "../../../web/features/explorer/model/folder-feed.ts";
import { createClock } from "../transfer/clock.ts";

/** What a page that shows a folder does when it is told of changes. */

/** A stream that the test speaks to; `refuses` is the status of its next answers. */
function createStreams() {
  const asked: string[] = [];
  let tell: ((news: FolderNews | undefined) => void) | undefined;
  let refuses: number | undefined;
  const events: Events = async function* (path, signal) {
    asked.push(path);
    if (refuses !== undefined) throw new ApiFailure({ code: "unknown", status: refuses, message: "" });
    for (;;) {
      const next = Promise.withResolvers<FolderNews | undefined>();
      tell = (news) => {
        tell = undefined;
        next.resolve(news);
      };
      signal.addEventListener("abort", () => next.resolve(undefined));
      const news = await next.promise;
      if (!news) return;
      yield JSON.stringify(news);
    }
  };
  return {
    events,
    asked,
    isOpen: () => tell !== undefined,
    tell: (version: string, changed = true, around?: boolean) =>
      tell?.({ version, changed, ...(around !== undefined && { around }) }),
    end: () => tell?.(undefined),
    refuse: (status: number | undefined) => {
      refuses = status;
    },
  };
}

function world(around?: FoldersAround) {
  const clock = createClock();
  const streams = createStreams();
  const leaving = new AbortController();
  const server = { version: "one.1", renewed: 0, loading: false };
  let shown = server.version;
  const listed = {
    folder: "/drive/a b",
    version: () => shown,
    isLoading: () => server.loading,
    async renew() {
      server.renewed += 1;
      shown = server.version;
    },
  };
  const done = followFolder(
    { events: streams.events, sleep: clock.sleep, now: clock.now },
    listed,
    leaving.signal,
    around,
  );
  const settled = async () => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    ...{ clock, streams, server, done, settled },
    until: clock.until,
    /** The page has listed the folder by itself. */
    list() {
      shown = server.version;
    },
    leave: () => leaving.abort(),
  };
}

describe("a folder on view", () => {
  test("is listed anew for what no list shows, and not for what one does", async () => {
    const { streams, server, until, settled, list, leave, done } = world();
    await until(streams.isOpen);
    expect(streams.asked).toEqual(["/fs/events?path=%2Fdrive%2Fa+b&since=one.1"]);
    streams.tell("one.1", false);
    await until(streams.isOpen);
    server.version = "one.5";
    streams.tell("one.5");
    await until(() => server.renewed === 1);
    await until(streams.isOpen);
    // A change of one's own: its answer has the folder listed before the news are looked at.
    server.version = "one.6";
    streams.tell("one.6");
    list();
    await settled();
    expect(server.renewed).toBe(1);
    leave();
    await done;
  });

  test("is listed once for many news, and once more when a list had begun before them", async () => {
    const { streams, server, until, settled, clock, leave, done } = world();
    await until(streams.isOpen);
    clock.stand();
    for (const number of [2, 3, 4]) {
      streams.tell(`one.${number}`);
      await until(streams.isOpen);
    }
    server.version = "one.4";
    clock.run();
    clock.advance(1000);
    await until(() => server.renewed === 1);
    await settled();
    expect(server.renewed).toBe(1);
    server.loading = true;
    streams.tell("one.9");
    await until(() => server.renewed >= 2);
    server.version = "one.9";
    server.loading = false;
    await settled();
    const after = server.renewed;
    await settled();
    expect(server.renewed).toBe(after);
    leave();
    await done;
  });

  test("of which another server tells is listed once, although nobody can compare the numbers", async () => {
    const { streams, server, until, settled, leave, done } = world();
    await until(streams.isOpen);
    streams.tell("two.7");
    await until(() => server.renewed === 1);
    await settled();
    expect(server.renewed).toBe(1);
    leave();
    await done;
  });

  test("is followed again when the stream ends, less and less often, with what the list shows by then", async () => {
    const { streams, server, until, clock, list, leave, done } = world();
    await until(streams.isOpen);
    streams.refuse(429);
    streams.end();
    await until(() => clock.slept.length >= 4);
    expect(clock.slept.slice(0, 4)).toEqual([1000, 2000, 4000, 8000]);
    server.version = "one.8";
    list();
    streams.refuse(undefined);
    await until(() => {
      clock.advance(30_000);
      return streams.isOpen();
    });
    expect(streams.asked.at(-1)).toContain("since=one.8");
    expect(server.renewed).toBe(0);
    leave();
    await done;
  });

  test("that is gone, or not for this person, is listed once more, which says why", async () => {
    for (const status of [401, 403, 404]) {
      const { streams, server, until, done } = world();
      await until(streams.isOpen);
      streams.refuse(status);
      streams.end();
      await done;
      expect([status, server.renewed]).toEqual([status, 1]);
    }
  });

  test("has the tree around it loaded again for news of that, once for many, and the list left as it is", async () => {
    let renewed = 0;
    const around = {
      base: "/",
      version: () => "one.0",
      async renew() {
        renewed += 1;
      },
    };
    const { streams, server, until, settled, clock, leave, done } = world(around);
    await until(streams.isOpen);
    expect(streams.asked).toEqual(["/fs/events?path=%2Fdrive%2Fa+b&since=one.1&around=%2F&around_since=one.0"]);
    clock.stand();
    for (let one = 0; one < 3; one += 1) {
      streams.tell("one.1", false, true);
      await until(streams.isOpen);
    }
    clock.advance(250);
    await until(() => renewed === 1);
    streams.tell("one.1", false, true);
    await until(streams.isOpen);
    await settled();
    expect(renewed).toBe(1);
    clock.run();
    clock.advance(5000);
    await until(() => renewed === 2);
    expect(server.renewed).toBe(0);
    leave();
    await done;
  });
});
