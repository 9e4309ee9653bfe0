import { createStore } from "../../lib/store.ts";
import { abortUpload } from "../multipart/open-upload.ts";
import { idsOf, type StoredUpload } from "../resume/upload-store.ts";
import type { UploadContext } from "../uploader.ts";
import type { UnfinishedUpload } from "../uploads.ts";

/** Publishes the remembered large uploads that have no row; `hasRow` reports whether a key has one. */
export function createUnfinished(context: UploadContext, hasRow: (key: string) => boolean) {
  const { kept, account, tabs } = context;
  const store = createStore<readonly UnfinishedUpload[]>([]);
  let remembered: readonly StoredUpload[] = [];
  const find = (key: string) => remembered.find((upload) => upload.key === key);
  const show = () => store.set(remembered.filter(({ key }) => !hasRow(key)));

  return {
    store,
    find,
    /** Publishes them again, because the rows have changed. */
    show,
    async recall(): Promise<void> {
      const owner = account();
      const found = owner === undefined ? [] : await kept.all(owner);
      const claimed = await tabs.claimed();
      if (account() !== owner) return;
      // What another tab is sending is not unfinished.
      remembered = found.filter(({ fileId }) => !claimed.includes(fileId));
      show();
    },
    /** Clears the list, because nobody is signed in any more. */
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
      void abortUpload(context, idsOf(upload));
    },
  };
}
