import { files as api } from "#contract/files";
import type { House } from "../../../house.ts";
import { isOnItsWay } from "../../../shares/file-progress.ts";
import { clientOf } from "../../downloads.ts";
import type { Bind } from "../bind.ts";
import { type EventSource, eventStream, eventHeaders as headers, slowPace } from "../event-stream.ts";

/** How far the file of a share is, for a page that was opened before it was there. It says no more than the page, and spends no view. */
export function bindShareEvents(bind: Bind, { shares: { files }, log }: Pick<House, "shares" | "log">): void {
  const { progress } = files;

  bind(api.events, async ({ params: { slug }, request, context }) => {
    const visitor = clientOf(request, context);
    await files.find(slug, visitor);
    // Elysia answers HEAD by running GET, and the stream would never be read.
    if (request.method === "HEAD") return new Response(null, { headers });
    context.hold();
    const source: EventSource = {
      name: "file",
      watch: async (ring) => progress.watch(slug, visitor, ring),
      recheck: async () => undefined,
      async read() {
        const now = await progress.read(slug);
        return { data: JSON.stringify(now), last: progress.isClosing() || !isOnItsWay(now) };
      },
    };
    return new Response(await eventStream(source, log, slowPace), { headers });
  });
}
