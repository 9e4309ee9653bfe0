import { Failure } from "#contract/failures";
import { nameOf, within } from "#contract/paths";
import { isLocal } from "#contract/providers";
import { MOST_MOVED } from "../../transfers/moves.ts";
import { type Found, isFile } from "../../vfs/entry.ts";
import type { Node, Recheck } from "../../vfs/node.ts";
import { type Place, placeOf } from "../../vfs/webdav/properties.ts";
import { type Call, conditionOf, findAt, knownTo, lockPath, modifiedOf, parentOfNode } from "./call.ts";
import { statusOf } from "./failures.ts";
import { givenTime, hrefOf, invalid, parseDepth, parseOverwrite, pathOfReference } from "./headers.ts";
import { multistatus, response, statusLine } from "./multistatus.ts";

/** What is copied or moved, and where to. */
interface CopyOrMove {
  readonly kind: "copy" | "move";
  readonly found: Found;
  readonly to: Node;
  /** What is at the destination. */
  readonly there: Found | undefined;
  /** Whether something there may be replaced. */
  readonly overwrite: boolean;
  /** What the request wants of what is there, asked again right before the effect. */
  readonly condition: Recheck | undefined;
  /** Where the properties are kept, before and after. */
  readonly from: Place;
  readonly target: Place;
  readonly copies: Copies;
}

/** What was copied, as far as it is noted. */
interface Copies {
  /** ETags of what was copied, by what its path has behind that of the source; of a file by nothing. */
  readonly of: Map<string, string>;
  /** The ETag of the copy of a file. */
  made: string | undefined;
}

/** A file or folder that could not be copied or moved. */
interface Failed {
  readonly path: string;
  readonly failure: Failure;
}

/**
 * COPY and MOVE (RFC 4918 sections 9.8 and 9.9): 201 where nothing was, 204 where something was replaced, 207 when only a part
 * could be done. 403 path.into, 409 path.noParent, 412 precondition.failed for what may not be replaced, 502 dav.elsewhere.
 */
export async function copyOrMove(call: Call): Promise<Response> {
  const { request, node, view, context } = call;
  const { headers, method } = request;
  const kind = method === "COPY" ? "copy" : "move";
  const depth = parseDepth(headers.get("depth"), "infinity");
  const overwrite = parseOverwrite(headers.get("overwrite"));
  const to = view.at(pathOfReference(headers.get("destination")?.trim() ?? "", knownTo(call), "Destination"));
  node.requireInBasePath(kind);
  const found = await node.stat();
  if (kind === "move") node.requireWritable("move", true);
  // Of a folder alone only a copy makes sense (sections 9.8.3 and 9.9.2).
  if (depth === "1" || (kind === "move" && depth === "0" && !isFile(found))) throw invalid("Depth");
  const [source, target] = [lockPath(node), lockPath(to)];
  const alone = depth === "0" && !isFile(found);
  if (source === target || within(target, source) || (within(source, target) && !alone)) throw new Failure("path.into");

  const there = await findAt(to);
  if (there && !overwrite) throw new Failure("precondition.failed");
  const parent = await parentOfNode(call, to);
  to.requireWritable(kind, there !== undefined);
  if (there) {
    // A storage may be shown twice, and what is replaced must not be, or hold, what is copied: it goes first.
    await to.requireDisjoint(kind, node);
    if (!alone) await node.requireDisjoint(kind, to);
  }
  const places = placesOf(found, parent, to, there);
  if (kind === "copy" || places.from.storage !== places.target.storage)
    await call.rooms.vfs.properties.requireCopy(places.from, places.target);
  context.hold();
  const copies: Copies = { of: new Map(), made: undefined };
  const operation = { kind, found, to, there, overwrite, condition: conditionOf(call), copies, ...places } as const;
  const given = isFile(found) ? givenTime(headers) : undefined;
  const modified = given ?? (await timeToKeep(call, operation));
  const failed = alone ? await copyAlone(call, operation) : await perform(call, operation);
  await keepTimes(call, operation, modified);
  if (failed.length > 0) return partial(call, failed);
  const accepted = { "x-oc-mtime": "accepted" };
  return new Response(null, { status: there ? 204 : 201, ...(given !== undefined && { headers: accepted }) });
}

/** The time of a file that would else have that of its copy. A rename on a disk keeps it by itself. */
async function timeToKeep({ rooms, node }: Call, { kind, found, to }: CopyOrMove): Promise<number | undefined> {
  const mount = to.location.mount;
  const isRename = kind === "move" && mount !== undefined && isLocal(mount) && node.location.mount?.id === mount.id;
  return found.head && !isRename ? await modifiedOf(rooms, found, found.head) : undefined;
}

/** Has a file keep this time, and the files of a folder those that clients gave to them: what was copied is another version. */
async function keepTimes(call: Call, operation: CopyOrMove, modified: number | undefined): Promise<void> {
  const { found, target, copies } = operation;
  const { vfs, transfers } = call.rooms;
  const etagOf = async (key: string) => (await transfers.look({ ...target, key }))?.etag;
  if (!isFile(found)) return await vfs.properties.renewTimes(target, copies.of, etagOf);
  if (modified === undefined) return;
  const etag = copies.made ?? (await etagOfMoved(operation));
  if (etag !== undefined) await vfs.properties.setModified(target, { etag, modified });
}

/** The ETag of a file that was moved within its mount, unless it is gone by now, or somebody has written another one over it. */
async function etagOfMoved({ found, to }: CopyOrMove): Promise<string | undefined> {
  const now = (await findAt(to))?.head;
  return now?.etag === found.head?.etag || now?.size === found.head?.size ? now?.etag : undefined;
}

/** 403 path.mount for what is above all mounts or goes there. */
function placesOf(
  found: Found,
  parent: Found,
  to: Node,
  there: Found | undefined,
): Pick<CopyOrMove, "from" | "target"> {
  const [from, above] = [placeOf(found), placeOf(parent)];
  const mount = to.location.mount;
  if (!from || !mount || !above) throw new Failure("path.mount");
  // In the letters of its storage, as far as it is there.
  const key = there?.location.key ?? above.key + nameOf(to.location.path);
  return { from, target: { storage: mount.storage, key: isFile(found) ? key : `${key}/` } };
}

/** A folder without what is in it. */
async function copyAlone({ rooms }: Call, operation: CopyOrMove): Promise<readonly Failed[]> {
  const { to, there, condition, from, target } = operation;
  if (!there) await makeFolder(operation);
  else {
    const fill = async (beside: Node) => {
      await beside.mkdir("copy");
      return [];
    };
    await to.replaceBy(fill, { condition });
  }
  await rooms.vfs.properties.copyOne(from, target);
  return [];
}

/** Makes the folder that is copied to. 412 precondition.failed where one has come meanwhile that may not be replaced. */
async function makeFolder({ to, overwrite, condition }: CopyOrMove): Promise<void> {
  await condition?.();
  if (!(await to.mkdir("copy")) && !overwrite) throw new Failure("precondition.failed");
}

async function perform(call: Call, operation: CopyOrMove): Promise<readonly Failed[]> {
  if (operation.kind === "move") return await move(call, operation);
  const failed = await copy(call, operation);
  await call.rooms.vfs.properties.copy(operation.from, operation.target);
  return failed;
}

/** A file takes the place of a file in one step; whatever else is replaced stays until all that comes is there. */
const areBothFiles = ({ found, there }: CopyOrMove): boolean => isFile(found) && there !== undefined && isFile(there);

async function copy(call: Call, operation: CopyOrMove): Promise<readonly Failed[]> {
  const { found, to, there, overwrite, condition } = operation;
  if (there && !areBothFiles(operation))
    return await to.replaceBy((beside) => byCopies(call, operation, { to: beside }), { condition });
  if (!isFile(found) && (condition || !overwrite)) await makeFolder(operation);
  return await byCopies(call, operation);
}

/** What copies go to another place than the destination. */
interface Elsewhere {
  readonly to?: Node;
  /** Whether what is copied is to go afterwards, for which all of it has to be noted. */
  readonly goes?: boolean;
}

/** Copies to the destination, or to where it waits to be complete. */
async function byCopies(call: Call, operation: CopyOrMove, where: Elsewhere = {}): Promise<readonly Failed[]> {
  const { found, overwrite, condition, copies } = operation;
  if (!isFile(found)) return await byJob(call, { ...operation, kind: "copy" }, where);
  const { outcome, etag, made } = await call.node.copy(where.to ?? operation.to, { overwrite, condition });
  if (outcome === "skipped") throw new Failure("precondition.failed");
  copies.of.set("", etag);
  copies.made = made?.etag;
  return [];
}

/** Moves at once what can be; what would be too many copies for that goes file by file. */
async function move(call: Call, operation: CopyOrMove): Promise<readonly Failed[]> {
  const { to, overwrite, condition } = operation;
  const isWithin = call.node.location.mount?.id === to.location.mount?.id;
  try {
    if (!isWithin) return await carry(call, operation);
    await call.node.move(to, { over: overwrite ? "anything" : "nothing", condition });
    return [];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === "path.large") return await moveEach(call, operation);
    // Somebody else got there first.
    throw error.code === "path.taken" && !overwrite ? new Failure("precondition.failed") : error;
  }
}

/** Moves to another mount: nothing goes before all of it is there. */
async function carry(call: Call, operation: CopyOrMove): Promise<readonly Failed[]> {
  const { found, there, to, overwrite, condition, copies } = operation;
  if (isFile(found) && (!there || isFile(there))) {
    copies.made = await call.node.carry(to, { overwrite, condition });
    return [];
  }
  const kept = (below: string) => ({
    path: isFile(found) ? to.location.path : `${to.location.path}/${below}`,
    failure: new Failure("path.changed"),
  });
  const fill = (beside: Node) => byCopies(call, operation, { to: beside, goes: true });
  return await to.replaceBy(fill, { leaving: { from: call.node, copied: copies.of, overwrite, kept }, condition });
}

async function moveEach(call: Call, operation: CopyOrMove): Promise<readonly Failed[]> {
  const { there, to, condition, from, target } = operation;
  if (!there || areBothFiles(operation)) await condition?.();
  else {
    const failed = await to.replaceBy((beside) => byCopies(call, operation, { to: beside }), { condition });
    if (failed.length > 0) return failed;
  }
  // It ends with the removal of what it leaves behind, and the properties of folders with that.
  await call.rooms.vfs.properties.copy(from, target);
  return await byJob(call, operation);
}

/** File by file, on the server, for as long as whoever asked may do it. What fails is named by where it should have come to. */
async function byJob(call: Call, operation: CopyOrMove, where: Elsewhere = {}): Promise<Failed[]> {
  const { kind, found, to, overwrite, copies } = operation;
  const { rooms, request, caller, tokens } = call;
  if (caller.kind === "link") throw new Failure("auth.forbidden");
  const { to: beside = to, goes } = where;
  const source = found.location.path;
  const task = { kind, source, target: beside.location.path, skipExisting: !overwrite } as const;
  const now = () => rooms.access.callers.now(caller);
  const failed: Failed[] = [];
  const targetOf = (path: string) => to.location.path + path.slice(source.length);
  const how = { caller: now, protocol: "dav", tokens, staging: beside.staging, signal: request.signal } as const;
  for await (const { path, outcome, failure = skipped(outcome), etag } of rooms.jobs.run(task, how)) {
    if (failure) failed.push({ path: targetOf(path), failure });
    if (etag === undefined) continue;
    if (copies.of.size < MOST_MOVED) copies.of.set(path.slice(source.length + 1), etag);
    // Of more than that the rest has the times of its copies.
    else if (goes) throw new Failure("path.large", { limit: MOST_MOVED });
  }
  // It has ended early where whoever asked has gone, and what is not complete takes no place.
  if (request.signal.aborted) throw new Failure("server.busy");
  // What is about the one file that was named is no partial success (section 9.8.5 and 9.9.4).
  if (isFile(found) && failed[0]) throw failed[0].failure;
  return failed;
}

/** What may not be replaced has come meanwhile. */
const skipped = (outcome: "done" | "skipped" | "failed"): Failure | undefined =>
  outcome === "skipped" ? new Failure("precondition.failed") : undefined;

/** Names that one answer lists. */
const MOST_FAILED = 1000;

const partial = ({ context, request: { method } }: Call, failed: readonly Failed[]): Response =>
  multistatus(
    failed
      .slice(0, MOST_FAILED)
      .map(({ path, failure }) => response(hrefOf(context, path, "file"), statusLine(statusOf(failure, method))))
      .join(""),
  );
