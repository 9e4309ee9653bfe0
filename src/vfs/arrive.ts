import { Failure } from "#contract/failures";
import { partCountFor } from "#contract/limits";
import { isFilename, join, nameOf, nameWith, parentOf, within } from "#contract/paths";
import { bearerOf } from "../access/callers.ts";
import { type LinkCaller, ownerName, type TreeCaller } from "../access/principal.ts";
import { withSha256 } from "../lib/digests.ts";
import { typeOfName } from "../lib/mime.ts";
import type { FindPlace, FreePlace, Incoming, Place } from "../stores/store.ts";
import type { ArrivalPlace, PendingArrival, Sender, SenderDetails, TakenBack } from "../transfers/arrivals.ts";
import { isOpenEnded } from "../transfers/parts.ts";
import type { UploadRow } from "../transfers/uploads-table.ts";
import { isWaiting } from "../transfers/waiting.ts";
import { all, type ResolvedPath, type ResolvePath, type TreeDeps } from "./access.ts";
import { filePath, isFile } from "./entry.ts";
import { folderKeyOf } from "./layout.ts";
import { isBlind } from "./link-tree.ts";
import { storageOf } from "./lookup.ts";
import {
  arrived,
  beginUpload,
  overParts,
  type PartsName,
  type PartsUpload,
  pendingParts,
  type TreeUpload,
  targetOr,
  type UploadRequest,
} from "./uploads.ts";
import { alone, type Content, isNew, put, type Target, targetOf, type WrittenEntry } from "./write.ts";

/** Names that are tried until one is free, and the greatest number that one has. */
const NUMBER_TRIES = 10_000;
const MOST_NUMBER = 99_999;

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

/** The folder that a stranger says, whose names are made ones that fit; what leads elsewhere is left for who reads paths to refuse. */
const arrivingFolder = (folder: string): string =>
  folder
    .split("/")
    .map((name) => (/^\.{0,2}$/.test(name) ? name : arrivingName(name)))
    .join("/");

/** Where a file goes that somebody names; a stranger's names are made ones that fit. 400 filename.invalid. */
export function pathOfUpload(caller: TreeCaller, folder: string, name: string): string {
  const isStranger = caller.kind === "link" && isBlind(caller);
  return isStranger ? filePath(arrivingFolder(folder), arrivingName(name)) : filePath(folder, name);
}

/** What comes by a link says more. */
interface Sent {
  readonly size: number | undefined;
  readonly type?: string | null | undefined;
  readonly said?: SenderDetails | undefined;
}

/** A file on its way, and where to. */
interface OnItsWay {
  readonly at: ResolvedPath;
  readonly coming: PendingArrival;
  readonly receipt: string;
}

/**
 * The folder of a sender in that of the link, and in it what they name below: nobody's own folder is in that of another. Or the folder of
 * all. 409 path.taken.
 */
async function folderFor(at: ResolvedPath, { folder: own, folderName, claim }: Sender): Promise<string> {
  const folder = parentOf(at.location.path);
  if (folderName === undefined) return folder;
  const [, item = "", ...below] = folder.split("/");
  const inside = (claimed: string): string => [claimed, ...below].join("/");
  if (own !== null) return inside(own);
  const name = arrivingName(folderName);
  const folderOf = (number: number): string => join(`/${item}`, numbered(name, number, "folder"));
  const isTaken = async (number: number) => (await at.at(folderOf(number)).find("write")) !== undefined;
  let number = 0;
  for (let tries = 0; tries < NUMBER_TRIES; tries++) {
    number = await freeNumber(isTaken, number + 1);
    const claimed = await claim(folderOf(number));
    if (claimed !== undefined) return inside(claimed);
  }
  throw new Failure("path.taken");
}

/**
 * A number from one on that is not taken, with few questions where very many before it are: whoever sends one name again and again would else
 * have a storage asked for all that they have sent. 409 path.taken.
 */
async function freeNumber(isTaken: (number: number) => Promise<boolean>, from: number): Promise<number> {
  let [taken, free, step] = [from - 1, from, 1];
  while (free <= MOST_NUMBER && (await isTaken(free))) {
    [taken, free] = [free, free + step];
    step *= 2;
  }
  free = Math.min(free, MOST_NUMBER + 1);
  while (free - taken > 1) {
    const middle = (taken + free) >>> 1;
    if (await isTaken(middle)) taken = middle;
    else free = middle;
  }
  if (free > MOST_NUMBER) throw new Failure("path.taken");
  return free;
}

const numbered = (name: string, number: number, kind: "file" | "folder"): string =>
  number === 1 ? name : nameWith(name, ` (${number})`, kind);

/** Whether a name is free now that nobody else comes to it: who did may have arrived since it was looked at. Gives it back if not. */
async function isFreeStill(to: ResolvedPath, coming: PendingArrival): Promise<boolean> {
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
  const placeOf = (number: number): ResolvedPath => at.at(join(folder, numbered(name, number, "file")));
  const isTaken = async (number: number) => (await targetOf(placeOf(number), "write")).found !== undefined;
  let number = 0;
  for (let tries = 0; tries < (isNumbered ? NUMBER_TRIES : 1); tries++) {
    number = isNumbered ? await freeNumber(isTaken, number + 1) : 1;
    const to = placeOf(number);
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

/** The name behind one that is taken: `name (2).ext` and then `name (3).ext`. */
function nextName(name: string): string {
  const [, stem = name, number = "1", ending = ""] = /^(.+?) \((\d{1,5})\)(\.[^.]*|)$/s.exec(name) ?? [];
  return number === "1" ? numbered(name, 2, "file") : numbered(stem + ending, Number(number) + 1, "file");
}

type Rename = (place: ArrivalPlace) => Promise<boolean>;

/** The turn at a place whose key no fresh upload reserves meanwhile either. */
const turnTo = (to: ResolvedPath, { storage, location }: Target, isMeant: boolean): Promise<() => void> =>
  new Promise((resolve, reject) => {
    const hold = () => new Promise<void>((over) => resolve(over));
    const { objects } = to.deps.transfers;
    // Whoever writes has announced the key that was meant.
    const held = isMeant ? hold : () => objects.writing(storage, location.key, hold);
    alone(to, [location], held).catch(reject);
  });

/** A place if nothing is there and nothing else comes there. */
async function placeAt(to: ResolvedPath, isMeant: boolean, rename: Rename): Promise<FreePlace | undefined> {
  const before = await targetOf(to, "write");
  if (before.found) return undefined;
  const pass = await turnTo(to, before, isMeant);
  let isFree = false;
  try {
    const { location, found } = await targetOf(to, "write");
    const { path, key } = location;
    isFree = !found && (isMeant || (await rename({ path, key })));
    const isStillNew = isNew(to);
    const mayWrite = to.recheck("write", location);
    return isFree ? { key, pass, beforeCommit: isStillNew ? all(mayWrite, isStillNew) : mayWrite } : undefined;
  } finally {
    if (!isFree) pass();
  }
}

/** Finds where a file goes when all of it has come: somebody may have taken its name meanwhile. 409 path.taken; as `recheck`. */
function placeFor(at: ResolvedPath, rename: Rename): FindPlace {
  const { path } = at.location;
  let meant = path;
  return async () => {
    let name = nameOf(path);
    for (let tries = 0; tries < NUMBER_TRIES; tries++) {
      const to = at.at(join(parentOf(path), name));
      const place = await placeAt(to, to.location.path === meant, rename);
      if (place) meant = to.location.path;
      if (place) return place;
      name = nextName(name);
    }
    throw new Failure("path.taken");
  };
}

/** What has come in one piece. */
export interface ArrivedEntry extends WrittenEntry {
  readonly receipt?: string;
}

/** Writes a file that comes by a link, which counts from before its first byte and no more if it fails. */
export async function putArriving(at: ResolvedPath, link: LinkCaller, content: Content): Promise<ArrivedEntry> {
  const { length: size, type, said } = content;
  const { at: to, coming, receipt } = await comeTo(at, link, { size, type, said });
  const counted = countedBody(content, coming.beyond);
  const digested = withSha256(content.digesting);
  const condition = async () => {
    await content.condition?.();
    await coming.count(counted.bytes());
  };
  try {
    const findPlace = placeFor(to, coming.rename);
    const sent = { ...content, body: counted.body, digesting: digested.digesting, condition, findPlace };
    const written = await put(to, sent).catch(async (error: unknown) => {
      await coming.giveBack();
      throw counted.beyond() ?? error;
    });
    const { size: arrived, etag = null } = written.entry;
    await coming.settle({ size: arrived, etag, sha256: digested.sha256()?.toString("hex") });
    return { ...written, receipt };
  } finally {
    await coming.leave();
  }
}

/** A body whose bytes are counted, where nobody has said how many there are; it ends when there are too many. */
function countedBody({ body, length }: Pick<Content, "body" | "length">, beyondAt: PendingArrival["beyond"]) {
  let [bytes, beyond]: [number, Failure | undefined] = [0, undefined];
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      beyond = beyondAt(bytes);
      if (beyond) controller.error(beyond);
      else controller.enqueue(chunk);
    },
  });
  const counted: Incoming = length === undefined && body.body ? new Response(body.body.pipeThrough(count)) : body;
  return { body: counted, bytes: () => bytes, beyond: () => beyond };
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
    const upload = await beginUpload(to, { ...request, isPlaced: true });
    await coming.broughtBy(upload.row.id);
    return { ...upload, receipt };
  } catch (error) {
    await coming.giveBack();
    throw error;
  } finally {
    await coming.leave();
  }
}

/** What this visitor has begun, or the same sender by another opening of the link: that goes on as theirs. */
async function uploadOf({ arrivals, transfers: { uploads } }: TreeDeps, link: LinkCaller, name: PartsName) {
  const { upload, receipt, isSigned } = name;
  const own = await uploads.findOwn(upload, bearerOf(link));
  if (own) return own;
  const sent = receipt === undefined ? undefined : await arrivals.uploadSentBy(link, { upload, receipt });
  const id = isSigned ? (await uploads.findOfLink(upload, bearerOf(link)))?.id : sent;
  return id === undefined ? undefined : await uploads.handOver(id, bearerOf(link));
}

/** An upload in parts that this visitor of a link has begun: nobody else's, whatever it is called. */
export async function findArriving(
  deps: TreeDeps,
  { resolve, link }: { readonly resolve: ResolvePath; readonly link: LinkCaller },
  name: PartsName,
): Promise<PartsUpload> {
  const { arrivals, transfers } = deps;
  const row = await uploadOf(deps, link, name);
  const ended = row ? undefined : await transfers.uploads.endedOf(name.upload, ownerName(link));
  const id = row?.id ?? ended?.upload;
  const path = id === undefined ? undefined : await arrivals.pathOfUpload(id);
  const at = path === undefined ? undefined : resolve(path);
  const there = at && (await targetOr(at));
  if (!at || !there || id === undefined) return overParts();
  const { mount, key } = there.location;
  const isThere = (place: Place): boolean => place.storage === mount.storage && place.key === key;
  if (ended) return overParts(isThere(ended.at) ? arrived(there, ended.head) : undefined);
  const isOnItsWay = row && (isThere(row) || (row.storage === mount.storage && isWaiting(row)));
  if (!isOnItsWay) return overParts();
  const rename: Rename = (place) => arrivals.renameUpload(id, place);
  return partsArriving(deps, pendingParts(at, there, row, placeFor(at, rename)));
}

interface CountedPart extends Pick<TreeDeps, "arrivals"> {
  readonly row: UploadRow;
  readonly bytes: number;
}

/** Takes a part, whose bytes the link counts before they come where nobody has said how many there will be. 413 link.bytes, link.fileBytes. */
async function counted<Result>({ arrivals, row, bytes }: CountedPart, take: () => Promise<Result>): Promise<Result> {
  if (!isOpenEnded(row)) return await take();
  await arrivals.growUpload(row.id, bytes);
  try {
    return await take();
  } catch (error) {
    await arrivals.growUpload(row.id, -bytes);
    throw error;
  }
}

/** An upload in parts by a link, whose end is noted. */
function partsArriving({ arrivals }: TreeDeps, upload: PartsUpload): PartsUpload {
  const idOf = (): string | undefined => {
    try {
      return upload.pending().id;
    } catch (error) {
      if (error instanceof Failure && error.code === "upload.missing") return undefined;
      throw error;
    }
  };
  const giveUp = async (): Promise<void> => {
    const id = idOf();
    await upload.abort();
    if (id !== undefined) await arrivals.giveUpUpload(id);
  };
  return {
    ...upload,
    async put(part) {
      const row = upload.pending();
      // The one part of a small file is all of it.
      const isWhole = !isOpenEnded(row) && row.size !== null && partCountFor(row.size, row.part_size ?? 1) === 1;
      const digested = withSha256(part.digesting);
      const sent = { ...part, digesting: isWhole ? digested.digesting : part.digesting };
      const stored = await counted({ arrivals, row, bytes: part.length }, () => upload.put(sent));
      const sha256 = digested.sha256()?.toString("hex");
      if (sha256 !== undefined) await arrivals.noteDigest(row.id, sha256);
      return stored;
    },
    async complete(claimed, still) {
      const id = idOf();
      const file = await upload.complete(claimed, still);
      if (id !== undefined) await arrivals.settleUpload(id, { size: file.entry.size, etag: file.entry.etag ?? null });
      return file;
    },
    abort: giveUp,
  };
}

/** What a sender takes back. */
export interface SentFile {
  readonly etag: string | null;
  /** The folder that was made for what they send, if there is one. */
  readonly folder: string | null;
}

/**
 * Removes a file for ever that its sender takes back, if it is as it came, and of the folders that were made for it those that hold nothing
 * any more. 403, 404, 423 as writing there.
 */
export async function takeBack(at: ResolvedPath, { etag, folder }: SentFile): Promise<TakenBack> {
  const outcome = await removeSent(at, etag);
  if (folder !== null && outcome !== "changed") await removeFoldersOf(at, folder);
  return outcome;
}

/**
 * Removes the folders of a file that is gone, up to that of its sender, as long as they are empty: a store with real folders asks and removes at
 * once, so that what comes meanwhile stays. In other stores they are gone with the file. What hinders it leaves an empty folder, no more.
 */
async function removeFoldersOf(at: ResolvedPath, own: string): Promise<void> {
  const { transfers } = at.deps;
  try {
    for (let path = parentOf(at.location.path); within(own, path); path = parentOf(path)) {
      const folder = at.at(path);
      const location = folder.requireWritable("write", false);
      const storage = await storageOf(transfers, location);
      const { tree } = storage.store;
      if (!tree) return;
      const key = folderKeyOf(location);
      const remove = () => tree.removeEmpty(key, folder.recheck("write", location));
      if (!(await transfers.objects.removeEmpty(storage, key, remove))) return;
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
}

async function removeSent(at: ResolvedPath, etag: string | null): Promise<TakenBack> {
  return await alone(at, [at.location], async () => {
    const { location, storage, found } = await targetOf(at, "write");
    if (!found) return "missing";
    if (!isFile(found) || found.head.etag !== etag) return "changed";
    const isStill = async () => {
      const now = await storage.store.head(location.key);
      if (now?.etag !== etag) throw new Failure("path.changed");
    };
    const mayRemove = all(at.recheck("write", location), isStill);
    await at.deps.transfers.objects.remove(storage, [location.key], mayRemove);
    return "removed";
  });
}
