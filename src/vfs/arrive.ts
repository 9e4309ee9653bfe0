import { Failure } from "#contract/failures";
import { join, nameOf, parentOf } from "#contract/paths";
import type { LinkCaller } from "../access/principal.ts";
import { withSha256 } from "../lib/digests/digests.ts";
import { typeOfName } from "../lib/mime.ts";
import type { FindPlace, FreePlace, Incoming } from "../stores/store.ts";
import type { ArrivalPlace, PendingArrival, Sender, SenderDetails } from "../transfers/arrivals.ts";
import { all, type ResolvedPath } from "./access.ts";
import { arrivingName, freeNumber, NUMBER_TRIES, nextName, numbered } from "./arriving-names.ts";
import { isBlind } from "./link-tree.ts";
import { beginUpload, type TreeUpload, type UploadRequest } from "./uploads.ts";
import { type Content, exclusively, put, recheckNew, type Target, targetOf, type WrittenEntry } from "./write.ts";

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

/** As `rename` of an arrival. */
export type Rename = (place: ArrivalPlace) => Promise<boolean>;

/** The turn at a place whose key no fresh upload reserves meanwhile either. */
const turnTo = (to: ResolvedPath, { storage, location }: Target, isMeant: boolean): Promise<() => void> =>
  new Promise((resolve, reject) => {
    const hold = () => new Promise<void>((over) => resolve(over));
    const { objects } = to.deps.transfers;
    // Whoever writes has announced the key that was meant.
    const held = isMeant ? hold : () => objects.writing(storage, location.key, hold);
    exclusively(to, [location], held).catch(reject);
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
    const newCheck = recheckNew(to);
    const mayWrite = to.recheck("write", location);
    return isFree ? { key, pass, beforeCommit: newCheck ? all(mayWrite, newCheck) : mayWrite } : undefined;
  } finally {
    if (!isFree) pass();
  }
}

/** Finds where a file goes when all of it has come: somebody may have taken its name meanwhile. 409 path.taken; as `recheck`. */
export function placeFor(at: ResolvedPath, rename: Rename): FindPlace {
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
