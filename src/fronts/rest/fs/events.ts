import { Failure } from "#contract/failures";
import { fs as api, type FolderNews } from "#contract/fs/fs";
import type { TreeCaller } from "../../../access/principal.ts";
import type { House } from "../../../house.ts";
import type { Admit, Bind } from "../bind.ts";
import { type EventSource, eventStream, eventHeaders as headers, slowPace } from "../event-stream.ts";

/** Tells a page that shows a folder when to list it anew. An event names nothing: what has changed the caller has to ask for. */
export function bindFsEvents(bind: Bind, { vfs, log }: Pick<House, "vfs" | "log">, admit: Admit): void {
  const { watches } = vfs;

  bind(api.events, async ({ query, principal, request, context }) => {
    const { path: sent, since, around } = query;
    const nodeOf = async (caller: TreeCaller, path: string) => (await vfs.as(caller, "mount")).at(path);
    const path = await (await nodeOf(principal, sent)).watchedPath();
    const spansAt = async (caller: TreeCaller, folder: string) => (await nodeOf(caller, folder)).watchedSpans();
    const spans = await spansAt(principal, path);
    const spansAround = around === undefined ? [] : await spansAt(principal, around);
    // Elysia answers HEAD by running GET, and the stream would never be read.
    if (request.method === "HEAD") return new Response(null, { headers });
    context.hold();
    let [changed, isAround] = [false, false];
    let ring: (() => void) | undefined;
    const watch = watches.watch({
      caller: principal,
      spans,
      since,
      changed() {
        changed = true;
        ring?.();
      },
    });
    const watchAround =
      around === undefined
        ? undefined
        : watches.watch({
            caller: principal,
            spans: spansAround,
            since: query.around_since,
            beside: true,
            changed() {
              isAround = true;
              ring?.();
            },
          });
    const source: EventSource = {
      name: "folder",
      watch: async (rung) => {
        ring = rung;
        return () => {
          watch.stop();
          watchAround?.stop();
        };
      },
      // By the credential, the rights and the mounts of this moment.
      async recheck() {
        const caller = await admit(request, context, api.events);
        if (caller.kind === "anonymous") throw new Failure("auth.required");
        watch.move(await spansAt(caller, path));
        if (around !== undefined) watchAround?.move(await spansAt(caller, around));
      },
      async read() {
        const news: FolderNews = { version: watch.version(), changed, ...(watchAround && { around: isAround }) };
        [changed, isAround] = [false, false];
        return { data: JSON.stringify(news), last: watches.isClosing() };
      },
    };
    return new Response(await eventStream(source, log, slowPace), { headers });
  });
}
