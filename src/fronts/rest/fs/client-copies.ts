import type { ClientCopy } from "#contract/fs/copies";
import { nameOf, parentOf } from "#contract/paths";
import type { Caller } from "../../../access/principal.ts";
import type { House } from "../../../house.ts";
import type { ClientCopyItem } from "../../../vfs/view.ts";

/** Who carries the bytes of a copy. */
interface Requester {
  readonly caller: Caller;
  /** The URL under which the caller reaches this server. */
  readonly base: string;
}

/** Makes the function that writes a client-side copy with its addresses, in the shape that existing clients expect. */
export function createClientCopies({ vfs, transfers }: Pick<House, "vfs" | "transfers">) {
  return async (item: ClientCopyItem, { caller, base }: Requester): Promise<ClientCopy> => {
    const files = [];
    const view = await vfs.as(caller, "mount");
    for (const { walked, upload } of item.files) {
      const { mount, path, head } = walked;
      const file = await view.at(path).open("copy");
      files.push({
        sourceKey: head.key,
        targetKey: upload.row.key,
        fileName: nameOf(upload.path),
        relativeDir: parentOf(`/${walked.below}`).slice(1),
        contentType: upload.row.content_type,
        size: head.size,
        downloadUrl: (await vfs.addresses.both(file, { caller, base })).download_url,
        uploadUrl: await transfers.putUrl(upload.row, { base }),
        relayUrl: await transfers.putUrl(upload.row, { base, relayed: true }),
        fileId: upload.row.id,
        mount,
      });
    }
    const [first] = files;
    const [{ renamed, upload } = { renamed: false, upload: undefined }] = item.files;
    const common = {
      ...({ crossStorage: true, status: "success", message: "OK" } as const),
      ...{ sourceMount: item.from.id, targetMount: item.to.id },
    };
    if (item.folder || !first) {
      const [source, target] = [`${item.source}/`, `${item.target}/`];
      return { ...common, renamed: false, isDirectory: true, source, target, originalTarget: target, items: files };
    }
    return {
      ...common,
      ...{ isDirectory: false, renamed, source: item.source, originalTarget: item.target },
      target: renamed && upload ? upload.path : item.target,
      ...{ sourceS3Path: first.sourceKey, targetS3Path: first.targetKey, fileName: first.fileName },
      ...{ contentType: first.contentType, size: first.size },
      ...{ downloadUrl: first.downloadUrl, uploadUrl: first.uploadUrl },
      ...{ relayUrl: first.relayUrl, fileId: first.fileId },
    };
  };
}
