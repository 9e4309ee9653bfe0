import { createStore } from "../../../lib/store.ts";
import { type ShareOptions, startOptions } from "../../../ui/share-options/options.ts";
import { type ChipName, type ChipRefusal, noPlace, type Place } from "./chips.ts";

/** What the chips hold, and what the server has said against it. They outlive the page within the app. */
export function createOptionsState() {
  /** As nobody has chosen anything yet. */
  let begun = startOptions();
  const options = createStore<ShareOptions>(begun);
  const place = createStore<Place>(noPlace);
  const openChip = createStore<ChipName | undefined>(undefined);
  /** At most one for each chip. */
  const refusals = createStore<readonly ChipRefusal[]>([]);
  /** The suffix that was sent last: when it is refused it stands in its chip again. */
  let sentSlug = "";

  return {
    options,
    place,
    openChip,
    refusals,
    /** Takes another expiry that the administrator has set in this tab, where nobody has chosen one. */
    look(): void {
      if (options.get() !== begun) return;
      begun = startOptions();
      options.set(begun);
    },
    choose(next: ShareOptions): void {
      options.set(next);
      refusals.set(refusals.get().filter(({ field }) => isPlaces(field)));
    },
    goTo(next: Place): void {
      place.set(next);
      refusals.set(refusals.get().filter(({ field }) => !isPlaces(field)));
    },
    /** The suffix is another one than that which was sent. */
    isOtherSlug: () => options.get().slug !== sentSlug,
    /** They were sent; the suffix belongs to those files now and to no others. */
    sent(): void {
      const { slug } = options.get();
      if (slug !== "") sentSlug = slug;
      options.set({ ...options.get(), slug: "" });
      openChip.set(undefined);
      refusals.set([]);
    },
    refuse(next: ChipRefusal): void {
      if (next.field === "slug" && options.get().slug === "") options.set({ ...options.get(), slug: sentSlug });
      refusals.set([...refusals.get().filter(({ field }) => field !== next.field), next]);
      // Who is busy with another chip is not disturbed.
      if (openChip.get() === undefined) openChip.set(next.field);
    },
    /** Everything has arrived: the next files begin anew, in the same place. */
    startOver(): void {
      sentSlug = "";
      begun = startOptions();
      options.set(begun);
      openChip.set(undefined);
      refusals.set([]);
    },
  };
}

export type OptionsState = ReturnType<typeof createOptionsState>;

const isPlaces = (chip: ChipName): chip is keyof Place => Object.hasOwn(noPlace, chip);
