import type { TreeCaller } from "../access/principal.ts";
import type { Activity, Client } from "../activity/activity.ts";
import type { Subject } from "../activity/activity-table.ts";
import { countUntilEnd, sizeOf } from "../lib/counting.ts";
import type { RequestContext } from "./context.ts";
import { type Connections, SHORT } from "./unread.ts";

/** Told how many bytes of an answer were sent, null where nobody knows, and whether those were all. */
type Ended = (bytes: number | null, isWhole: boolean) => void;

const ends = new WeakMap<Response, Ended>();

/** Who sends a request, for the log of what they do. */
export const clientOf = (
  { headers }: Pick<Request, "headers">,
  { address }: Pick<RequestContext, "address">,
): Client => ({
  address,
  agent: headers.get("user-agent"),
});

interface Download {
  readonly activity: Pick<Activity, "note">;
  readonly subject: Subject;
  readonly client: Client;
  /** Of the file, where the subject has several. */
  readonly name?: string;
}

/** Has a download logged when its answer has ended. One without bytes is none. */
export function logDownload(response: Response, { activity, subject, client, name }: Download): Response {
  if (response.body === null) return response;
  ends.set(response, (bytes, isWhole) =>
    activity.note(subject, client, { event: "downloaded", outcome: isWhole ? "whole" : "broken", name, bytes }),
  );
  return response;
}

/** Logs what a visitor of a link has uploaded; of any other caller nothing. */
export function logUpload(
  activity: Pick<Activity, "note">,
  caller: TreeCaller,
  client: Client,
  { name, size }: { readonly name: string; readonly size: number },
): void {
  if (caller.kind !== "link") return;
  activity.note(caller, client, { event: "uploaded", outcome: "whole", name, bytes: size });
}

/** An answer that is on its way and sent by the system, which tells nobody when it has left. */
interface Leaving {
  readonly request: Request;
  readonly connections: Connections;
  readonly bytes: number;
  readonly ended: Ended;
}

/** Answers on their way that are looked at; beyond them one counts as whole at once. */
const MAX_LEAVING = 2000;
/** After how many milliseconds they are looked at anew. */
const INTERVAL = 1000;

/** Learns how downloads end. A file that the system sends is looked at now and then, since a stream around it would make it slow. */
export function createDownloads() {
  const leaving = new Set<Leaving>();
  let timer: Timer | undefined;

  const look = (): void => {
    timer = undefined;
    for (const one of leaving) {
      const { request, connections, bytes, ended } = one;
      if (connections.requestIP(request) !== null) continue;
      leaving.delete(one);
      // How much of a file had left when its reader went, the system does not tell.
      if (request.signal.aborted) ended(null, false);
      else ended(bytes, true);
    }
    if (leaving.size > 0) wait();
  };

  const wait = (): void => {
    timer ??= setTimeout(look, INTERVAL);
    timer.unref();
  };

  return {
    /** The answer as it is to be sent. */
    follow(request: Request, response: Response, connections: Connections): Response {
      const ended = ends.get(response);
      if (!ended) return response;
      ends.delete(response);
      const bytes = sizeOf(response);
      if (bytes === undefined) return countUntilEnd(response, ended);
      if (bytes <= SHORT || leaving.size >= MAX_LEAVING) ended(bytes, true);
      else {
        leaving.add({ request, connections, bytes, ended });
        wait();
      }
      return response;
    },
  };
}
