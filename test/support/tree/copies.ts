import { fsCopies as api, type ClientCopy } from "#contract/fs/copies";
import { put } from "../share-file.ts";
import type { TreeCalls } from "./tree-house.ts";

/** Asks for the copy of one path to another. */
export const copy = (tree: TreeCalls, sourcePath: string, targetPath: string, skipExisting?: boolean) =>
  tree.call(api.batchCopy, {
    body: { items: [{ sourcePath, targetPath }], ...(skipExisting !== undefined && { skipExisting }) },
  });

/** Does what a client does with one file that it copies itself; answers both statuses. */
export async function carry({ house }: TreeCalls, item: Pick<ClientCopy, "downloadUrl" | "uploadUrl" | "contentType">) {
  const read = await house.request(item.downloadUrl ?? "");
  const sent = await put(house, item.uploadUrl ?? "", new Uint8Array(await read.arrayBuffer()), item.contentType);
  return [read.status, sent.status];
}
