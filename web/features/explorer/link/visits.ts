import type { OpenedLink } from "#contract/links";
import { type Call, callBy } from "../../../api/call.ts";
import type { Sender } from "../../../api/session/credential.ts";
import { type Events, eventsBy } from "../../../api/transport/event-stream.ts";
import { tabStorage } from "../../../lib/storage.ts";
import { browserPorts } from "../../../transfer/browser.ts";
import { createUploads } from "../../../transfer/list/create-uploads.ts";
import { askBeforeLeaving } from "../../../transfer/list/watch-states.ts";
import { createBrowserMemory } from "../../../transfer/resume/browser-memory.ts";
import { type Saying, treeTarget } from "../../../transfer/targets/tree-target.ts";
import type { Uploads } from "../../../transfer/uploads.ts";

/** Grants are kept as long as the tab, so that a reload is no further opening. */
const nameOf = (slug: string): string => `link-grant:${slug}`;

/** The grant of an earlier opening in this tab, unless its time is over. */
export function keptGrant(slug: string): string | undefined {
  const [until = "", grant] = tabStorage.get(nameOf(slug))?.split(" ") ?? [];
  return Date.parse(until) > Date.now() ? grant : undefined;
}

/** Keeps the grant of an opening. A tab that stores nothing opens the link anew after a reload. */
export const keepGrant = (slug: string, { grant, until }: Pick<OpenedLink, "grant" | "until">): boolean =>
  tabStorage.set(nameOf(slug), `${until} ${grant}`);

/** Forgets a grant that opens nothing any more. */
export const dropGrant = (slug: string): void => tabStorage.remove(nameOf(slug));

const sealedName = (slug: string): string => `sealed:${slug}`;

/** Keeps as long as the tab that there is a sealed file at an address: one whose last view it was can be loaded again for some minutes. */
export const keepSealed = (slug: string): boolean => tabStorage.set(sealedName(slug), "1");

export const wasSealed = (slug: string): boolean => tabStorage.get(sealedName(slug)) !== null;

const sendingName = (slug: string): string => `link-sending:${slug}`;

/** What the last sending by a link was: its receipt, and who sent it. */
interface Sending {
  readonly receipt: string;
  readonly sender: string;
}

/** Keeps the receipt of what is being sent as long as the tab: nobody but its sender has it, and without it they could take nothing back. */
export const keepSending = (slug: string, { receipt, sender }: Sending): boolean =>
  tabStorage.set(sendingName(slug), `${receipt} ${sender}`);

/** The sending before the page was loaded again, unless it was taken back or another one was begun. */
export function keptSending(slug: string): Sending | undefined {
  const [, receipt, sender = ""] = /^([\w-]{43})(?: (.*))?$/s.exec(tabStorage.get(sendingName(slug)) ?? "") ?? [];
  return receipt === undefined ? undefined : { receipt, sender };
}

export const dropSending = (slug: string): void => tabStorage.remove(sendingName(slug));

/** Who has opened a link on this page: how they call, and their uploads, which go on while other pages are on view. */
interface Visit {
  readonly call: Call;
  readonly events: Events;
  readonly uploads: Uploads;
}

/** What makes the files of one sending one, which nobody else can guess. */
export const newReceipt = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** Says with each file that is begun from now on who sends it. */
export function say(slug: string, saying: Saying): void {
  const known = visits.get(slug);
  if (known) known.saying = saying;
}

interface KnownVisit extends Visit {
  /** Another grant of the same link takes the place of one that has ended, and uploads go on with it. */
  grant: string;
  saying?: Saying;
}

const visits = new Map<string, KnownVisit>();

/** The visit of an opened link, the same for as long as the page is there. */
export function visitOf({ slug, grant }: Pick<OpenedLink, "slug" | "grant">): Visit {
  const known = visits.get(slug);
  if (known) {
    known.grant = grant;
    return known;
  }
  const sender = (): Sender => ({ authType: "link", slug, grant: visits.get(slug)?.grant ?? grant });
  const [call, events] = [callBy(sender), eventsBy(sender)];
  const uploads = createUploads({
    ...browserPorts,
    call,
    target: treeTarget(() => visits.get(slug)?.saying ?? {}),
    // A link has addresses for parts alone: any other would name the storage.
    multipartFrom: () => 0,
    memory: createBrowserMemory("link uploads"),
    account: () => `link:${slug}`,
  });
  askBeforeLeaving(uploads, window);
  visits.set(slug, { call, events, uploads, grant });
  return { call, events, uploads };
}
