import { useCallback, useEffect, useRef, useState } from "react";
import { fetchableAddress } from "../../api/share-addresses.ts";
import { keepKey, useKey } from "../../page/fragment-key.ts";
import { type Problem, problemOf, type Unlocked } from "../../preview/sealed/unlocked.ts";
import { SealedFailure } from "../../sealed/failures.ts";
import type { Key } from "../../sealed/locks.ts";
import { openNames } from "../../sealed/names.ts";
import { openHeader } from "../../sealed/open.ts";
import { sourceAt } from "../../sealed/served/source.ts";
import { lockOf, type OpenSealed } from "./source.ts";

type Unlocking =
  | { readonly state: "asking" | "busy" | "failed"; readonly problem?: Problem | undefined }
  | { readonly state: "open"; readonly unlocked: Unlocked };

/** Opens names and header with a key. Throws a SealedFailure, or what the server or the connection did. */
async function unlock(share: OpenSealed, key: Key): Promise<Unlocked> {
  const names = await openNames(share.sealed, key);
  const source = fetchableAddress(share.previewUrl);
  // Only what is asked for: of a large file its beginning and its end.
  const bytes = sourceAt({ url: source, size: share.size, end: 0 });
  const own: Key = names.fileKey === undefined ? key : { fileKey: Uint8Array.fromBase64(names.fileKey) };
  const opening = await openHeader(bytes, own).catch((error: unknown) => {
    // The key is right. It is the file that is not the one which these names were sealed with.
    throw problemOf(error) === "wrongKey" ? new SealedFailure("damaged") : error;
  });
  if (opening.size !== names.size) throw new SealedFailure("damaged");
  return { names, opening, source };
}

/** Unlocks an open share with the key of its link, or with what its reader types. Nothing of it is asked of the server: no view is spent. */
export function useUnlocking(slug: string, share: OpenSealed) {
  const key = useKey(slug);
  const lock = lockOf(share);
  const [unlocking, setUnlocking] = useState<Unlocking>({ state: lock === "key" && key ? "busy" : "asking" });
  const last = useRef<Key>(undefined);

  const attempt = useCallback(
    async (by: Key) => {
      last.current = by;
      setUnlocking({ state: "busy" });
      const next = await unlock(share, by).then(
        (unlocked): Unlocking => ({ state: "open", unlocked }),
        (error: unknown): Unlocking => {
          const problem = problemOf(error);
          return { state: problem === "wrongKey" ? "asking" : "failed", problem };
        },
      );
      // Another key may have been pasted in the meantime.
      if (last.current === by) setUnlocking(next);
    },
    [share],
  );
  useEffect(() => {
    if (lock === "key" && key !== undefined) void attempt({ identity: key });
  }, [lock, key, attempt]);

  return {
    lock,
    unlocking,
    /** Tries a password, or the key in a pasted link. */
    give(text: string): void {
      if (lock === "password") void attempt({ password: text });
      else if (text === key) void attempt({ identity: text });
      else keepKey(slug, text);
    },
    again(): void {
      if (last.current) void attempt(last.current);
    },
  };
}
