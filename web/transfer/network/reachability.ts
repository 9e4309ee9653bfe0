import { RETRY_DELAY } from "#contract/limits";
import { isFailure } from "../../api/failure.ts";
import type { UploadPorts } from "../ports.ts";

/** How long a storage that has answered before may fail to answer while the server does, in milliseconds. */
const FORGIVEN = 3 * RETRY_DELAY;

/** An address that takes bytes, and the id of its storage; undefined for the default one. */
export interface Place {
  readonly storage: string | undefined;
  readonly url: string;
}

interface PlaceState {
  /** Whether this page has ever got an answer from it. */
  readonly answered: boolean;
  /** Since when it has not answered, in epoch milliseconds. */
  readonly silentSince?: number;
  readonly unreachable?: boolean;
}

export const isSameOrigin = (one: string, other: string): boolean => new URL(one).origin === new URL(other).origin;

/** Reports whether a PUT got no answer: browsers say nothing more about an address that they cannot or may not reach. */
export const isUnanswered = (error: unknown): boolean => isFailure(error, "network") || isFailure(error, "timeout");

/**
 * Tracks which storages this browser can reach: one may not allow pages (CORS), be in another network, or be http while the
 * page is https. A finding is valid until the page is left or a storage is changed.
 */
export function createReachability({ home, secure, now }: Pick<UploadPorts, "home" | "secure" | "now">) {
  const known = new Map<string, PlaceState>();
  // Two buckets at one address may have different CORS rules, and a storage may move.
  const nameOf = ({ storage = "", url }: Place) => `${storage} ${new URL(url).origin}`;
  const stateOf = (place: Place): PlaceState => known.get(nameOf(place)) ?? { answered: false };
  const isElsewhere = ({ url }: Place) => !isSameOrigin(url, home());

  return {
    /** Reports whether uploads to it have to go through the server. */
    isUnreachable: (place: Place): boolean =>
      stateOf(place).unreachable === true || (secure() && new URL(place.url).protocol === "http:"),
    /** Reports whether it is not our server and nothing is known about it yet. */
    isNew: (place: Place): boolean => isElsewhere(place) && !known.has(nameOf(place)),
    /** Records that it answered, whatever the status. */
    noteAnswer(place: Place): void {
      if (!stateOf(place).unreachable) known.set(nameOf(place), { answered: true });
    },
    /** Records that it did not answer while the server does. Reports whether it counts as unreachable: at once unless it has answered before. */
    noteSilence(place: Place): boolean {
      if (!isElsewhere(place)) return false;
      const { answered, silentSince = now(), unreachable } = stateOf(place);
      const given = unreachable || !answered || now() - silentSince >= FORGIVEN;
      known.set(nameOf(place), { answered, silentSince, unreachable: given });
      return given;
    },
    /** Tries unreachable storages again, because storages were changed. */
    reconsider(): void {
      for (const [name, { unreachable }] of known) if (unreachable) known.delete(name);
    },
  };
}

export type Reachability = ReturnType<typeof createReachability>;
