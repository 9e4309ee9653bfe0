import type { CallOutput } from "#contract/endpoint";
import { fsBytes } from "#contract/fs/bytes";
import { type ClientCopy, fsCopies } from "#contract/fs/copies";
import { fsUploads } from "#contract/fs/uploads";
import { join, nameOf } from "#contract/paths";
import { pathTo } from "../lib/base-path.ts";
import { stopIfAborted } from "./failures.ts";
import { createConnection } from "./network/connection.ts";
import { type Fetch, fetchFile } from "./network/fetch-file.ts";
import type { WaitCounts } from "./network/priority-queue.ts";
import { createReachability, isUnanswered, type Reachability } from "./network/reachability.ts";
import { createSend, type Send } from "./network/send.ts";
import { createRetries, tryToDelete } from "./network/with-retries.ts";
import type { UploadPorts } from "./ports.ts";

interface CrossCopyPorts extends Pick<UploadPorts, "call" | "put" | "sleep" | "now" | "home" | "secure" | "onNetwork"> {
  readonly fetch: Fetch;
}

/** A file or folder to copy. */
interface CopyRequest {
  readonly from: string;
  readonly to: string;
  readonly replaces: boolean;
}

/** A file that this browser copies for the server: its upload has begun and waits for the bytes. */
export interface BrowserCopy {
  readonly from: string;
  readonly to: string;
  /** Bytes. */
  readonly size: number;
  readonly type: string;
  readonly sourceMount: string;
  readonly targetMount: string;
  readonly downloadUrl: string;
  readonly uploadUrl: string;
  readonly relayUrl: string;
  readonly fileId: string;
}

/** The server's answer to a copy: it has done or skipped some files itself, and leaves the others to this browser. */
interface CopyPlan {
  readonly byBrowser: readonly BrowserCopy[];
  readonly done: number;
  readonly skipped: number;
  /** What could not be copied, each with the server's message. */
  readonly failed: readonly { readonly path: string; readonly reason: string }[];
}

interface CopyOptions {
  readonly signal: AbortSignal;
  /** `downloading` is fetching it from its storage, `preparing` sending it to the other one, `waiting` for a lost connection. */
  readonly onState: (state: "downloading" | "preparing" | "waiting") => void;
  /** Called with bytes that have just been received or sent: each byte counts twice. Negative if some have to be sent again. */
  readonly onMoved: (bytes: number) => void;
}

/** How long the server may be silent while it copies or lists a large folder, in milliseconds. */
const PATIENCE = 10 * 60_000;

/** Makes what moves the bytes of a file, to and from where its storages can be reached. */
function createTransfer(ports: CrossCopyPorts, reach: Reachability, send: Send) {
  const sourceOf = async ({ from, sourceMount, downloadUrl }: BrowserCopy, signal: AbortSignal) => {
    const place = { storage: sourceMount, url: new URL(downloadUrl, ports.home()).href };
    if (!reach.isUnreachable(place)) return place;
    const { grant } = (await ports.call(fsBytes.grant, { body: { paths: [from] }, signal })).data;
    const query = new URLSearchParams({ path: from, grant });
    return { ...place, url: new URL(pathTo(`/api/fs/download?${query}`), ports.home()).href };
  };

  const download = async (file: BrowserCopy, { signal, onMoved }: CopyOptions): Promise<Blob> => {
    const { url, storage } = await sourceOf(file, signal);
    let came = 0;
    const onProgress = (now: number) => {
      onMoved(now - came);
      came = now;
    };
    try {
      const blob = await fetchFile(ports, { address: url, signal, onProgress });
      reach.noteAnswer({ storage, url });
      return blob;
    } catch (error) {
      onMoved(-came);
      throw error;
    }
  };

  const upload = async (
    file: BrowserCopy,
    body: Blob,
    { signal, onMoved }: CopyOptions,
  ): Promise<string | undefined> => {
    const { uploadUrl, relayUrl, type, targetMount: storage } = file;
    const url = reach.isUnreachable({ storage, url: uploadUrl }) ? relayUrl : uploadUrl;
    let left = 0;
    const onProgress = (now: number) => {
      const moved = Math.min(now, body.size) - left;
      if (moved <= 0) return;
      left += moved;
      onMoved(moved);
    };
    try {
      const etag = await send({ storage, url, body, headers: { "content-type": type }, signal, onProgress });
      onProgress(body.size);
      return etag;
    } catch (error) {
      onMoved(-left);
      throw error;
    }
  };

  return { download, upload };
}

/** Makes what copies between storages through the browser: it downloads each file, uploads it to the other storage and has the server commit it. */
export function createCrossCopy(ports: CrossCopyPorts) {
  const { call } = ports;
  const connection = createConnection(ports);
  const reach = createReachability(ports);
  const send = createSend({ ...ports, connection, reach });
  const withRetries = createRetries(connection, ports.sleep);
  const { download, upload } = createTransfer(ports, reach, send);

  const drop = ({ to, fileId }: BrowserCopy): Promise<void> =>
    tryToDelete(withRetries, () => call(fsUploads.drop, { body: { targetPath: to, fileId } }));

  return {
    /**
     * Asks the server to copy. It copies what it can, and begins uploads for the rest. Throws ApiFailure, also if nothing could
     * be copied.
     */
    async plan({ from, to, replaces }: CopyRequest, signal: AbortSignal): Promise<CopyPlan> {
      const items = [{ sourcePath: from, targetPath: to }];
      const { data } = await call(fsCopies.batchCopy, {
        body: { items, skipExisting: !replaces },
        ...{ patience: PATIENCE, signal },
      });
      return planOf(data);
    },
    /** Copies a file. If that fails, its upload is dropped and nothing of it stays. Throws ApiFailure. */
    async copy(file: BrowserCopy, options: CopyOptions): Promise<void> {
      const { signal, onState } = options;
      let step: "downloading" | "preparing" = "downloading";
      const enter = (next: typeof step) => {
        step = next;
        onState(step);
      };
      const waits = watchedWaits((isLost) => onState(isLost ? "waiting" : step));
      const otherWay = (url: string, storage: string) => async (error: unknown) =>
        isUnanswered(error) && reach.noteSilence({ storage, url });
      try {
        enter("downloading");
        const from = otherWay(new URL(file.downloadUrl, ports.home()).href, file.sourceMount);
        const body = await withRetries(() => download(file, options), { signal, waits, otherWay: from });
        stopIfAborted(signal);
        enter("preparing");
        const to = otherWay(file.uploadUrl, file.targetMount);
        const etag = await withRetries(() => upload(file, body, options), { signal, waits, otherWay: to });
        stopIfAborted(signal);
        const files = [{ targetPath: file.to, etag: etag ?? null, fileSize: body.size }];
        await withRetries(
          () => call(fsCopies.batchCopyCommit, { body: { targetMountId: file.targetMount, files }, signal }),
          { signal, waits },
        );
      } catch (error) {
        await drop(file);
        throw error;
      }
    },
    /** Drops the upload of a file that is not to be copied after all. Never rejects. */
    drop,
    /** Tries unreachable storages again, because storages were changed. */
    reconsider: reach.reconsider,
  };
}

export type CrossCopy = ReturnType<typeof createCrossCopy>;

/** Makes waits that call back when the connection is lost and when it is back. */
function watchedWaits(onConnection: (isLost: boolean) => void): WaitCounts {
  let lost = 0;
  return {
    sending: 0,
    turn: 0,
    get connection() {
      return lost;
    },
    set connection(count) {
      lost = count;
      onConnection(lost > 0);
    },
  };
}

function planOf(answer: CallOutput<typeof fsCopies.batchCopy>["data"]): CopyPlan {
  const counts = answer.standardCopyResults ?? answer;
  const refused = Array.isArray(answer.failed)
    ? answer.failed.map(({ sourcePath: path, error: reason }) => ({ path, reason }))
    : answer.details.map(({ path, message, error = "" }) => ({ path, reason: message ?? error }));
  const byBrowser = (answer.crossStorageResults ?? []).flatMap(filesOf);
  return { byBrowser, done: counts.success ?? 0, skipped: counts.skipped ?? 0, failed: refused };
}

/** Returns the files of an answer, those of a folder with their paths in it. */
function filesOf(copy: ClientCopy): BrowserCopy[] {
  const { source, target, sourceMount, targetMount } = copy;
  if (!copy.isDirectory) {
    const { contentType: type = "", size = 0, downloadUrl = "", uploadUrl = "", relayUrl = "", fileId = "" } = copy;
    const addresses = { downloadUrl, uploadUrl, relayUrl, fileId };
    return [{ from: source, to: target, size, type, sourceMount, targetMount, ...addresses }];
  }
  return (copy.items ?? []).map((item) => {
    const { sourceKey, fileName, relativeDir, contentType: type, size } = item;
    const { downloadUrl, uploadUrl, relayUrl, fileId } = item;
    const at = (folder: string, name: string) =>
      join(folder.replace(/\/$/, ""), [relativeDir, name].filter(Boolean).join("/"));
    const paths = { from: at(source, nameOf(`/${sourceKey}`)), to: at(target, fileName) };
    return { ...paths, size, type, sourceMount, targetMount, downloadUrl, uploadUrl, relayUrl, fileId };
  });
}
