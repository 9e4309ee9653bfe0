import { RETRY_DELAY } from "#contract/limits";
import { isFailure } from "../api/failure.ts";
import type { UploadPorts } from "./ports.ts";

/** How long a storage that has answered before may say nothing while the server does, in milliseconds. */
const FORGIVEN = 3 * RETRY_DELAY;

/** An address that takes bytes, and the storage behind it; no id is the default one. */
export interface Place {
  readonly storage: string | undefined;
  readonly url: string;
}

interface PlaceState {
  /** Whether an answer of it has come as far as this page. */
  readonly answered: boolean;
  /** Since when it has said nothing, in epoch milliseconds. */
  readonly silentSince?: number;
  readonly barred?: boolean;
}

export const isSameOrigin = (one: string, other: string): boolean => new URL(one).origin === new URL(other).origin;

/** Reports whether a PUT got no answer at all: all that a browser reports of an address that it cannot or may not reach. */
export const isUnanswered = (error: unknown): boolean => isFailure(error, "network") || isFailure(error, "timeout");

/**
 * Tracks which storages this browser reaches: one may allow no page (CORS), be in another network, or be http beside
 * an https page. A finding holds as long as the page, or until a storage is changed.
 */
export function createReach({ home, secure, now }: Pick<UploadPorts, "home" | "secure" | "now">) {
  const known = new Map<string, PlaceState>();
  // Two buckets behind one address may have rules of their own, and a storage may move.
  const nameOf = ({ storage = "", url }: Place) => `${storage} ${new URL(url).origin}`;
  const stateOf = (place: Place): PlaceState => known.get(nameOf(place)) ?? { answered: false };
  const isElsewhere = ({ url }: Place) => !isSameOrigin(url, home());

  return {
    /** Reports whether uploads to it have to take another route. */
    isBarred: (place: Place): boolean =>
      stateOf(place).barred === true || (secure() && new URL(place.url).protocol === "http:"),
    /** Reports whether it is a storage elsewhere of which nothing is known so far. */
    isNew: (place: Place): boolean => isElsewhere(place) && !known.has(nameOf(place)),
    /** It has answered, whatever it said. */
    answered(place: Place): void {
      if (!stateOf(place).barred) known.set(nameOf(place), { answered: true });
    },
    /** It gave no answer although the server does. Says whether it is barred by that: at once unless it has answered before. */
    silent(place: Place): boolean {
      if (!isElsewhere(place)) return false;
      const { answered, silentSince = now(), barred } = stateOf(place);
      const given = barred || !answered || now() - silentSince >= FORGIVEN;
      known.set(nameOf(place), { answered, silentSince, barred: given });
      return given;
    },
    /** Storages were changed: barred ones are tried again. */
    reconsider(): void {
      for (const [name, { barred }] of known) if (barred) known.delete(name);
    },
  };
}

export type Reach = ReturnType<typeof createReach>;
