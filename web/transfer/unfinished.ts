import { createStore } from "../lib/store.ts";
import type { Surroundings } from "./carrier.ts";
import type { KeptUpload } from "./kept.ts";
import { abortUpload } from "./open-upload.ts";
import type { UnfinishedUpload } from "./uploads.ts";

/** What the browser remembers of large uploads that have no row; `hasRow` tells which keys have one. */
export function createUnfinished(surroundings: Surroundings, hasRow: (key: string) => boolean) {
  const { kept, account, tabs } = surroundings;
  const store = createStore<readonly UnfinishedUpload[]>([]);
  let remembered: readonly KeptUpload[] = [];
  const find = (key: string) => remembered.find((upload) => upload.key === key);
  const show = () => store.set(remembered.filter(({ key }) => !hasRow(key)));

  return {
    store,
    find,
    /** The rows are others now. */
    show,
    async recall(): Promise<void> {
      const owner = account();
      const found = owner === undefined ? [] : await kept.all(owner);
      const claimed = await tabs.claimed();
      if (account() !== owner) return;
      // What another tab is sending just now is not unfinished.
      remembered = found.filter(({ fileId }) => !claimed.includes(fileId));
      show();
    },
    /** Nobody is signed in. */
    clear(): void {
      remembered = [];
      show();
    },
    async discard(key: string): Promise<void> {
      const upload = find(key);
      if (!upload) return;
      remembered = remembered.filter((one) => one !== upload);
      show();
      await kept.drop(upload);
      void abortUpload(surroundings, { file_id: upload.fileId, upload_id: upload.uploadId });
    },
  };
}
