import type { FileRecord } from "#contract/files";
import type { Call } from "../../../api/call.ts";
import { createStore } from "../../../lib/store.ts";
import type { Sealing } from "../../../page/sealing.ts";
import { slugsFor } from "../../../transfer/list/slugs.ts";
import { askBeforeLeaving, watchStates } from "../../../transfer/list/watch-states.ts";
import type { SealedLink, UploadItem, Uploads } from "../../../transfer/uploads.ts";
import { chipRefusal, noPlace, placedOptions, wrongChip } from "./chips.ts";
import { createCollecting } from "./collecting.ts";
import { createGathering } from "./gathering.ts";
import { linkOf } from "./item-link.ts";
import { createOptionsState } from "./options-state.ts";
import { stageOf } from "./rows-by-state.ts";

interface UploadStatePorts {
  readonly uploads: Uploads;
  readonly sealing: Pick<Sealing, "isOn" | "together" | "shared">;
  /** Makes an archive of several files. Throws ApiFailure. */
  readonly bundle: (files: readonly File[]) => Promise<File>;
  /** Puts a text on the clipboard; false when that is refused. */
  readonly copy: (text: string) => Promise<boolean>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** The addresses where leaving asks for confirmation while an upload is running. */
  readonly window: Pick<Window, "addEventListener" | "removeEventListener">;
}

/** The link that has come of a single file. */
export interface Outcome {
  readonly file: FileRecord;
  /** Of one that is sealed: what its link needs. */
  readonly sealed?: SealedLink | undefined;
  readonly copied: boolean;
}

export type UploadPageState = ReturnType<typeof createUploadState>;

/** Tries those again that an option stood in the way of, with the options of now; `others` rows are sent with them, too. */
function retryRefused(
  { uploads, now, sealing }: Pick<UploadStatePorts, "uploads" | "now" | "sealing">,
  optionsState: ReturnType<typeof createOptionsState>,
  refused: readonly UploadItem[],
  others: number,
): void {
  const { slug, ...options } = placedOptions(
    optionsState.options.get(),
    optionsState.place.get(),
    now(),
    sealing.isOn(),
  );
  // A suffix that is still there unchanged belongs to the names that each was given; an empty one asks for another, random
  // one only for those that were refused for theirs.
  const renamed = optionsState.isOtherSlug()
    ? refused.filter(({ failure }) => slug || chipRefusal(failure)?.field === "slug")
    : [];
  const slugs = slugsFor(slug, renamed.length + others).slice(others);
  for (const item of refused) {
    const at = renamed.indexOf(item);
    uploads.retry(item.id, at === -1 ? options : { ...options, slug: slugs[at] ?? "" });
  }
}

function sendable(uploads: Uploads): readonly UploadItem[] {
  const { idle, refused } = stageOf(uploads.items.get());
  return [...idle, ...refused];
}

/** Sends what waits, and what was refused for an option, with the options of now. */
function sendAll(
  ports: Pick<UploadStatePorts, "uploads" | "now" | "sealing">,
  optionsState: ReturnType<typeof createOptionsState>,
): void {
  const { uploads, now, sealing } = ports;
  const { idle, refused } = stageOf(uploads.items.get());
  retryRefused(ports, optionsState, refused, idle.length);
  uploads.start(placedOptions(optionsState.options.get(), optionsState.place.get(), now(), sealing.isOn()));
  optionsState.sent();
}

/** All that was sent has arrived: what comes next is another share. */
function beginAnew(
  { sealing }: Pick<UploadStatePorts, "sealing">,
  optionsState: ReturnType<typeof createOptionsState>,
): void {
  optionsState.startOver();
  sealing.shared();
}

/** The state of the upload page; it outlives the page within the app until the person signs out, as the uploads do. */
export function createUploadState(ports: UploadStatePorts) {
  const { uploads, copy, now, sealing, window } = ports;
  const optionsState = createOptionsState();
  const outcome = createStore<Outcome | undefined>(undefined);
  /** Something was on its way when the page was left, and nobody has looked since. */
  const unseen = createStore(false);
  let attended = false;
  /** What the last press of the button has sent. */
  let batch: readonly string[] = [];
  const finish = async ({ id, result, sealed }: UploadItem) => {
    // Elsewhere somebody may have copied something else meanwhile.
    if (!attended || batch.length !== 1 || batch[0] !== id || !result) return;
    const copied = await copy(linkOf({ slug: result.slug, sealed }));
    if (attended) outcome.set({ file: result, sealed, copied });
  };

  askBeforeLeaving(uploads, window);
  watchStates(uploads, (changed, all) => {
    for (const item of changed) {
      const refusal = item.state === "failed" ? chipRefusal(item.failure) : undefined;
      if (refusal) optionsState.refuse(refusal);
      if (item.state === "completed") void finish(item);
    }
    // Rows that wait already have options that were chosen for them.
    const waiting = all.some(({ state }) => state === "idle");
    const sent = all.filter(({ id }) => batch.includes(id));
    if (!waiting && sent.length > 0 && sent.every(({ state }) => state === "completed")) beginAnew(ports, optionsState);
  });

  const collecting = createCollecting(uploads);
  const gathering = createGathering(ports);

  const send = () => {
    outcome.set(undefined);
    collecting.dismiss();
    // Before it is sent: a row may end at once.
    batch = sendable(uploads).map(({ id }) => id);
    sendAll(ports, optionsState);
  };

  return {
    uploads,
    optionsState,
    collecting,
    gathering,
    outcome,
    unseen,
    /** Sends the waiting files of the list; returns whether there were any, or the problem of the options. */
    press(): "sent" | "nothing" | "wrong" {
      if (sendable(uploads).length === 0) return "nothing";
      if (gathering.busy.get()) return "sent";
      const wrong = wrongChip(optionsState.options.get(), optionsState.place.get(), now(), sealing.isOn());
      if (wrong) {
        optionsState.openChip.set(wrong);
        return "wrong";
      }
      void gathering.before(send);
      return "sent";
    },
    /** Tries one row again: with the options of now when it was refused for one, else as it was. */
    retry(item: UploadItem): void {
      if (chipRefusal(item.failure)) retryRefused(ports, optionsState, [item], 0);
      else uploads.retry(item.id);
    },
    /**
     * Empties the page: the person has signed out, and the next one at this screen is somebody else. What is not completed is
     * deleted on the server by `call`, which keeps the session that ends. Resolves when that is done. Never rejects.
     */
    async forget(call: Call): Promise<void> {
      collecting.dismiss();
      outcome.set(undefined);
      unseen.set(false);
      optionsState.startOver();
      optionsState.goTo(noPlace);
      batch = [];
      await uploads.forget(call);
    },
    /** The page is shown, until the answered function is called. */
    attend(): () => void {
      attended = true;
      unseen.set(false);
      return () => {
        attended = false;
        outcome.set(undefined);
        unseen.set(uploads.isBusy());
      };
    },
  };
}
