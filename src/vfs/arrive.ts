import { Failure } from "#contract/failures";
import { partCountFor, sizeText } from "#contract/limits";
import { isFilename, join, nameOf, nameWith, parentOf } from "#contract/paths";
import type { LinkCaller, TreeCaller } from "../access/principal.ts";
import type { Digesting } from "../lib/digests.ts";
import { typeOfName } from "../lib/mime.ts";
import type { Incoming } from "../stores/store.ts";
import type { Coming, Said, Sender } from "../transfers/arrivals.ts";
import { all, type ResolvedPath } from "./access.ts";
import { filePath, isFile } from "./entry.ts";
import { beginUpload, type PartsUpload, type TreeUpload, type UploadRequest } from "./uploads.ts";
import { alone, type Content, put, targetOf, type WrittenEntry } from "./write.ts";

/** Names that are tried until one is free. */
const NUMBER_TRIES = 10_000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is replaced.
const UNFIT = /[\u0000-\u001f\u007f-\u009f<>:"|?*\\/]/g;
/** Bidi marks and what else has no shape, but the joiners of scripts and emoji. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A name as every system takes it, of one that a stranger has made up. */
function arrivingName(name: string): string {
  const clean = name.toWellFormed().normalize("NFC").replace(UNSEEN, "").replace(UNFIT, "_").trim().replace(/\.+$/, "");
  const cut = nameWith(clean, "");
  return isFilename(cut) ? cut : nameWith(cut.replace(/^\.+/, ""), "") || "file";
}

/** Who sees nothing of what is there gets a name of its own for what they bring. */
const isBlind = ({ rights }: LinkCaller): boolean => !rights.includes("view");

/** Where a file goes that somebody names; a stranger's name is made one that fits. 400 filename.invalid. */
export const pathOfUpload = (caller: TreeCaller, folder: string, name: string): string =>
  filePath(folder, caller.kind === "link" && isBlind(caller) ? arrivingName(name) : name);

/** What comes by a link says more. */
interface Sent {
  readonly size: number | undefined;
  readonly type?: string | null | undefined;
  readonly said?: Said | undefined;
}

/** A file on its way, and where to. */
interface OnItsWay {
  readonly at: ResolvedPath;
  readonly coming: Coming;
  readonly receipt: string;
}

/** The folder of a sender, or that of all. 409 path.taken. */
async function folderFor(at: ResolvedPath, { folder: own, folderName, claim }: Sender): Promise<string> {
  const folder = parentOf(at.location.path);
  if (folderName === undefined) return folder;
  if (own !== null) return own;
  const name = arrivingName(folderName);
  for (let number = 1; number <= NUMBER_TRIES; number++) {
    const wanted = join(folder, numbered(name, number, "folder"));
    const claimed = (await at.at(wanted).find("write")) ? undefined : await claim(wanted);
    if (claimed !== undefined) return claimed;
  }
  throw new Failure("path.taken");
}

const numbered = (name: string, number: number, kind: "file" | "folder"): string =>
  number === 1 ? name : nameWith(name, ` (${number})`, kind);

/** Whether a name is free now that nobody else comes to it: who did may have arrived since it was looked at. Gives it back if not. */
async function isFreeStill(to: ResolvedPath, coming: Coming): Promise<boolean> {
  let isFree = false;
  try {
    isFree = (await targetOf(to, "write")).found === undefined;
    return isFree;
  } finally {
    if (!isFree) {
      await coming.giveBack();
      await coming.leave();
    }
  }
}

/** Counts a file at the first of its names that is free. As `reserve`; 409 path.taken; 400, 403 and 404 of paths. */
async function comeTo(at: ResolvedPath, link: LinkCaller, { size, type, said }: Sent): Promise<OnItsWay> {
  const { arrivals } = at.deps;
  await targetOf(at, "write");
  const sender = await arrivals.senderOf(link, said);
  const isNumbered = isBlind(link);
  const folder = isNumbered ? await folderFor(at, sender) : parentOf(at.location.path);
  const name = nameOf(at.location.path);
  for (let number = 1; number <= (isNumbered ? NUMBER_TRIES : 1); number++) {
    const to = at.at(join(folder, numbered(name, number, "file")));
    const { location, found } = await targetOf(to, "write");
    if (found) continue;
    const wanted = {
      ...{ path: location.path, name: nameOf(location.path), storage: location.mount.storage, key: location.key },
      ...{ type: type || typeOfName(name), size, isNumbered },
    };
    const coming = await sender.reserve(wanted);
    if (coming && (!isNumbered || (await isFreeStill(to, coming)))) return { at: to, coming, receipt: sender.receipt };
  }
  throw new Failure("path.taken");
}

/** What has come in one piece. */
export interface ArrivedEntry extends WrittenEntry {
  readonly receipt?: string;
}

/** Writes a file that comes by a link, which counts from before its first byte and no more if it fails. */
export async function putArriving(at: ResolvedPath, link: LinkCaller, content: Content): Promise<ArrivedEntry> {
  const { length: size, type, said } = content;
  const { at: to, coming, receipt } = await comeTo(at, link, { size, type, said });
  const counted = countedBody(content, coming.most);
  const digested = withSha256(content.digesting);
  const condition = async () => {
    await content.condition?.();
    await coming.count(counted.bytes());
  };
  try {
    const sent = { ...content, body: counted.body, digesting: digested.digesting, condition };
    const written = await put(to, sent).catch(async (error: unknown) => {
      await coming.giveBack();
      throw counted.beyond() ?? error;
    });
    const { size: arrived, etag = null } = written.entry;
    await coming.settle({ size: arrived, etag, sha256: digested.sha256() });
    return { ...written, receipt };
  } finally {
    await coming.leave();
  }
}

/** A body whose bytes are counted, where nobody has said how many there are; it ends when there are too many. */
function countedBody({ body, length }: Pick<Content, "body" | "length">, most: number | undefined) {
  let [bytes, beyond]: [number, Failure | undefined] = [0, undefined];
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (most !== undefined && bytes > most) {
        beyond = new Failure("link.fileBytes", { limit: sizeText(most) });
        controller.error(beyond);
      } else controller.enqueue(chunk);
    },
  });
  const counted: Incoming = length === undefined && body.body ? new Response(body.body.pipeThrough(count)) : body;
  return { body: counted, bytes: () => bytes, beyond: () => beyond };
}

/** What is taken of bytes as they come, and their SHA-256. */
function withSha256(before: Digesting | undefined) {
  let sha256: string | undefined;
  const digesting: Digesting = {
    ...before,
    names: [...new Set([...(before?.names ?? []), "sha256" as const])],
    check(digests) {
      before?.check(digests);
      sha256 = digests.sha256?.toString("hex");
    },
  };
  return { digesting, sha256: () => sha256 };
}

/** An upload in parts by a link. */
export interface ArrivingUpload extends TreeUpload {
  readonly receipt?: string;
}

/** Begins an upload in parts by a link, which counts until it is given up. */
export async function beginArriving(
  at: ResolvedPath,
  link: LinkCaller,
  request: UploadRequest,
): Promise<ArrivingUpload> {
  const { at: to, coming, receipt } = await comeTo(at, link, request);
  try {
    const upload = await beginUpload(to, request);
    await coming.broughtBy(upload.row.id);
    return { ...upload, receipt };
  } catch (error) {
    await coming.giveBack();
    throw error;
  } finally {
    await coming.leave();
  }
}

/** An upload in parts by a link, whose end is noted. */
export function partsArriving({ arrivals }: ResolvedPath["deps"], upload: PartsUpload): PartsUpload {
  const idOf = (): string | undefined => {
    try {
      return upload.pending().id;
    } catch (error) {
      if (error instanceof Failure && error.code === "upload.missing") return undefined;
      throw error;
    }
  };
  return {
    ...upload,
    async put(part) {
      const row = upload.pending();
      // The one part of a small file is all of it.
      const isWhole = row.size !== null && partCountFor(row.size, row.part_size ?? 1) === 1;
      const digested = withSha256(part.digesting);
      const stored = await upload.put({ ...part, digesting: isWhole ? digested.digesting : part.digesting });
      const sha256 = digested.sha256();
      if (sha256 !== undefined) await arrivals.noteDigest(row.id, sha256);
      return stored;
    },
    async complete(claimed, still) {
      const id = idOf();
      const file = await upload.complete(claimed, still);
      if (id !== undefined) await arrivals.settleUpload(id, { size: file.entry.size, etag: file.entry.etag ?? null });
      return file;
    },
    async abort() {
      const id = idOf();
      await upload.abort();
      if (id !== undefined) await arrivals.giveUpUpload(id);
    },
  };
}

/** Removes a file for ever that its sender takes back, if it is as it came; answers whether it is gone. 403, 404, 423 as writing there. */
export async function takeBack(at: ResolvedPath, etag: string | null): Promise<boolean> {
  return await alone(at, [at.location], async () => {
    const { location, storage, found } = await targetOf(at, "write");
    if (!found) return true;
    if (!isFile(found) || found.head.etag !== etag) return false;
    const isStill = async () => {
      const now = await storage.store.head(location.key);
      if (now?.etag !== etag) throw new Failure("path.changed");
    };
    const mayRemove = all(at.recheck("write", location), isStill);
    await at.deps.transfers.objects.remove(storage, [location.key], mayRemove);
    return true;
  });
}
