import { createStore } from "../../../lib/store.ts";
import type { Sealing } from "../../../page/sealing.ts";
import type { UploadItem, Uploads } from "../../../transfer/uploads.ts";

interface GatheringPorts {
  readonly uploads: Pick<Uploads, "items" | "add" | "remove">;
  /** Makes an archive of several files. Throws ApiFailure. */
  readonly bundle: (files: readonly File[]) => Promise<File>;
  readonly sealing: Pick<Sealing, "isOn" | "together">;
}

/** Has the waiting rows of the list become one row: an archive of their files. */
export function createGathering({ uploads, bundle, sealing }: GatheringPorts) {
  const busy = createStore(false);
  /** A file could not be read. */
  const broken = createStore(false);
  const waiting = () => uploads.items.get().filter(({ state }) => state === "idle");

  const gatherOnce = async (rows: readonly UploadItem[]): Promise<boolean> => {
    const archive = await bundle(rows.map(({ file }) => file));
    const now = waiting();
    // Meanwhile files may have come and gone.
    if (now.length !== rows.length || now.some(({ id }, at) => id !== rows[at]?.id)) return false;
    for (const { id } of rows) uploads.remove(id);
    uploads.add([archive]);
    return true;
  };

  /** Returns whether there is something to send now. Never rejects. */
  const gather = async (): Promise<boolean> => {
    busy.set(true);
    broken.set(false);
    try {
      while (waiting().length > 1) if (await gatherOnce(waiting())) break;
      return waiting().length > 0;
    } catch {
      broken.set(true);
      return false;
    } finally {
      busy.set(false);
    }
  };

  return {
    busy,
    broken,
    /** Calls `send` once the files are one archive; at once where that is not wanted. Never rejects. */
    async before(send: () => void): Promise<void> {
      if (!sealing.isOn() || !sealing.together.get() || waiting().length < 2) return send();
      if (await gather()) send();
    },
  };
}
