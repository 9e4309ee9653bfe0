import type { FileRecord } from "#contract/files";
import { fileLink } from "../../../api/links.ts";
import { createStore } from "../../../lib/store.ts";
import { slugsFor } from "../../../transfer/slugs.ts";
import type { UploadItem, Uploads } from "../../../transfer/uploads.ts";
import { createAsking } from "./asking.ts";
import { noPlace, uploadOptionsOf, wrongChip } from "./choice.ts";
import { createCollecting } from "./collecting.ts";
import { refusalOf } from "./refusals.ts";
import { stageOf } from "./stage.ts";
import { askBeforeLeaving, watchStates } from "./watching.ts";

interface Surroundings {
  readonly uploads: Uploads;
  /** Puts a text on the clipboard; false when that is refused. */
  readonly copy: (text: string) => Promise<boolean>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Where leaving is asked about while something is on its way. */
  readonly window: Pick<Window, "addEventListener" | "removeEventListener">;
}

/** The link that has come of a single file. */
export interface Outcome {
  readonly file: FileRecord;
  readonly copied: boolean;
}

export type Desk = ReturnType<typeof createDesk>;

/** Everything that the upload page holds; it outlives the page within the app, as the uploads do. */
export function createDesk({ uploads, copy, now, window }: Surroundings) {
  const asking = createAsking();
  const outcome = createStore<Outcome | undefined>(undefined);
  /** Something was on its way when the page was left, and nobody has looked since. */
  const unseen = createStore(false);
  let attended = false;
  /** What the last press of the button has sent. */
  let batch: readonly string[] = [];
  const finish = async ({ id, result }: UploadItem) => {
    // Elsewhere somebody may have copied something else meanwhile.
    if (!attended || batch.length !== 1 || batch[0] !== id || !result) return;
    const copied = await copy(fileLink(result.slug));
    if (attended) outcome.set({ file: result, copied });
  };

  askBeforeLeaving(uploads, window);
  watchStates(uploads, (changed, all) => {
    for (const item of changed) {
      const refusal = item.state === "failed" ? refusalOf(item.failure) : undefined;
      if (refusal) asking.refuse(refusal);
      if (item.state === "completed") void finish(item);
    }
    // Rows that wait already have options that were chosen for them.
    const waiting = all.some(({ state }) => state === "idle");
    const sent = all.filter(({ id }) => batch.includes(id));
    if (!waiting && sent.length > 0 && sent.every(({ state }) => state === "completed")) asking.startOver();
  });

  /** Tries those again that an option stood in the way of, with the options of now. */
  const mend = (refused: readonly UploadItem[], others: number) => {
    const { slug, ...options } = uploadOptionsOf(asking.options.get(), asking.place.get(), now());
    const slugs = slugsFor(slug, refused.length + others).slice(others);
    for (const [index, { id, failure }] of refused.entries()) {
      // An empty chip means another, random suffix only for those that were refused for theirs.
      const chosen = slug || refusalOf(failure)?.chip === "slug" ? { slug: slugs[index] ?? "" } : {};
      uploads.retry(id, { ...options, ...chosen });
    }
  };

  const collecting = createCollecting(uploads);
  return {
    uploads,
    asking,
    collecting,
    outcome,
    unseen,
    /** Sends what waits in the list; answers whether there was anything, or what is wrong with the options. */
    press(): "sent" | "nothing" | "wrong" {
      const { idle, refused } = stageOf(uploads.items.get());
      if (idle.length + refused.length === 0) return "nothing";
      const wrong = wrongChip(asking.options.get(), asking.place.get(), now());
      if (wrong) {
        asking.openChip.set(wrong);
        return "wrong";
      }
      outcome.set(undefined);
      collecting.dismiss();
      batch = [...idle, ...refused].map(({ id }) => id);
      mend(refused, idle.length);
      uploads.start(uploadOptionsOf(asking.options.get(), asking.place.get(), now()));
      asking.sent();
      return "sent";
    },
    /** Tries one row again: with the options of now when it was refused for one, else as it was. */
    retry(item: UploadItem): void {
      if (refusalOf(item.failure)) mend([item], 0);
      else uploads.retry(item.id);
    },
    /** Gives everything up: the person has signed out, and the next one at this screen is somebody else. */
    async forget(): Promise<void> {
      collecting.dismiss();
      outcome.set(undefined);
      unseen.set(false);
      asking.startOver();
      asking.goTo(noPlace);
      await uploads.cancelAll();
      uploads.clear();
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
