import type { Search } from "../search/index.ts";
import type { View } from "../vfs/view.ts";
import { type AmountOf, verbOf } from "./steps.ts";
import type { Amount, TreeTask } from "./task.ts";

/** Returns the function that counts the files of a task: by the index if it knows, else file by file. */
export function createAmounts(search: Pick<Search, "folder" | "status">): AmountOf {
  /** Returns the content of a folder, as far as the index knows. */
  const indexed = async (view: View, task: TreeTask): Promise<Amount | undefined> => {
    const place = await view.at(task.source).wholePlace(verbOf(task));
    if (!place || (await search.status(place.storage)).built_at === null) return undefined;
    const amount = await search.folder(place);
    return amount && { files: amount.files, bytes: amount.size, exact: true };
  };

  return async (view, task, limit) => {
    const amount = await indexed(view, task);
    if (amount) return amount;
    let [seen, files, bytes] = [0, 0, 0];
    for await (const { head } of view.at(task.source).walk({ verb: verbOf(task) })) {
      seen += 1;
      files += head.key.endsWith("/") ? 0 : 1;
      bytes += head.size;
      if (seen === limit) return { files, bytes, exact: false };
    }
    return { files, bytes, exact: true };
  };
}
