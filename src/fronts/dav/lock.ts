import { Failure } from "#contract/failures";
import { within } from "#contract/paths";
import { textAnswer } from "../../lib/counting.ts";
import type { Entry } from "../../vfs/entry.ts";
import type { Lock } from "../../vfs/webdav/locks.ts";
import {
  type Call,
  conditionOf,
  findAt,
  holderOf,
  lockHrefs,
  lockPath,
  MOST_LOCKS_NAMED,
  parentOfNode,
  xmlOf,
} from "./call.ts";
import { readLockInfo } from "./elements.ts";
import { failureAnswer, XML } from "./failures.ts";
import { hrefOf, invalid, parseDepth, parseLockToken, parseTimeout } from "./headers.ts";
import { activeLock } from "./live.ts";
import { multistatus, response, statusLine } from "./multistatus.ts";

/** LOCK (RFC 4918 section 9.10): a new lock with a body, and without one a lock lasts anew. */
export async function lock(call: Call): Promise<Response> {
  const { request, node } = call;
  const life = parseTimeout(request.headers.get("timeout")) * 1000;
  const root = await xmlOf(call);
  // The body may have taken its time.
  (await node.again()).requireInBasePath("lock");
  if (root === undefined) return await refresh(call, life);
  const depth = parseDepth(request.headers.get("depth"), "infinity");
  if (depth === "1") throw invalid("Depth");
  return await acquire(call, { ...readLockInfo(root), deep: depth === "infinity", life });
}

/** 412 when the request names no lock, or none that holds here (section 9.10.2). */
async function refresh(call: Call, life: number): Promise<Response> {
  const { node, rooms, tokens } = call;
  const path = lockPath(node);
  const held = rooms.vfs.locks.at(path).find(({ token }) => tokens.includes(token));
  if (!held) throw tokens.length === 0 ? invalid("If") : new Failure("precondition.failed");
  await conditionOf(call)?.();
  const renewed = await rooms.vfs.locks.refresh({ token: held.token, path, holder: holderOf(call) }, life);
  const kind = (await findAt(node))?.entry.kind ?? "file";
  return discovered(call, renewed, { status: 200, kind });
}

type LockOptions = Pick<Lock, "shared" | "owner" | "deep" | "life">;

async function acquire(call: Call, wanted: LockOptions): Promise<Response> {
  const { node, rooms } = call;
  const { locks } = rooms.vfs;
  const path = lockPath(node);
  const found = await findAt(node);
  if (!found) await parentOfNode(call, node);
  // The root and mounts are nothing that anybody changes, and a lock of another says so itself.
  if (node.layout.holdsMounts(node.location) || path === "/") throw new Failure("path.mount");
  if (!node.location.mount) throw new Failure("mount.none");
  const request = { ...wanted, path, holder: holderOf(call) };
  const paths = node.layout.paths(node.location);
  const inTheWay = locks.conflicting(request, paths);
  // Some clients send the body of a new lock along when they mean that the one whose token they name should last.
  if (inTheWay.length === 1 && call.tokens.includes(inTheWay[0]?.token ?? "")) return await refresh(call, wanted.life);
  if (inTheWay.length > 0) return conflict(call, inTheWay);
  await conditionOf(call)?.();
  const made = await locks.acquire(request, paths);
  try {
    if (!found) await makeEmpty(call, made.token);
  } catch (error) {
    await locks.release({ token: made.token, path, holder: made.holder });
    throw error;
  }
  return discovered(call, made, { status: found ? 200 : 201, kind: found?.entry.kind ?? "file" });
}

/** A lock on nothing makes an empty file (section 7.3). */
async function makeEmpty({ rooms, request, caller, tokens, node }: Call, token: string): Promise<void> {
  const view = await rooms.vfs.as(caller, "dav", { tokens: [...tokens, token], signal: request.signal });
  try {
    await view.at(node.location.path).put({ body: new Response(""), length: 0, ifNone: true });
  } catch (error) {
    // Somebody else made it right before the lock was there, and it stays.
    if (!(error instanceof Failure && error.code === "path.changed")) throw error;
  }
}

/** What keeps a lock from being made; below a folder it is not the folder itself (section 9.10.9). */
function conflict(call: Call, inTheWay: readonly Lock[]): Response {
  const { context, node } = call;
  const path = lockPath(node);
  const hrefs = lockHrefs(call, inTheWay.slice(0, MOST_LOCKS_NAMED));
  const areBelow = inTheWay.every((one) => one.path !== path && within(path, one.path));
  if (!areBelow) return failureAnswer(new Failure("path.locked"), "LOCK", hrefs);
  const others = hrefs.map((href) => response(href, statusLine(423)));
  return multistatus(others.join("") + response(hrefOf(context, node.location.path, "folder"), statusLine(424)));
}

interface Discovered {
  readonly status: number;
  readonly kind: Entry["kind"];
}

function discovered({ rooms, context: { pathTo } }: Call, held: Lock, { status, kind }: Discovered): Response {
  const active = activeLock(held, { now: rooms.clock(), pathTo }, kind);
  const xml = `${XML}<D:prop xmlns:D="DAV:"><D:lockdiscovery>${active}</D:lockdiscovery></D:prop>`;
  const headers = {
    "content-type": 'application/xml; charset="utf-8"',
    "cache-control": "no-store",
    "lock-token": `<${held.token}>`,
  };
  return textAnswer(xml, { status, headers });
}

/**
 * UNLOCK (RFC 4918 section 9.11). 400 without a token, 409 lock.token, 403 lock.holder. The administrator ends any lock, as that of
 * a key that is gone.
 */
export async function unlock(call: Call): Promise<Response> {
  const { request, node, rooms, caller } = call;
  node.requireInBasePath("lock");
  const token = parseLockToken(request.headers.get("lock-token"));
  await rooms.vfs.locks.release({
    token,
    path: lockPath(node),
    holder: caller.kind === "admin" ? undefined : holderOf(call),
  });
  return new Response(null, { status: 204 });
}
