import { Failure } from "#contract/failures";
import { join } from "#contract/paths";
import { unforeseen } from "../../lib/log.ts";
import { createYielder } from "../../lib/turns.ts";
import { type Entry, type Found, isFile } from "../../vfs/entry.ts";
import type { Listing } from "../../vfs/node.ts";
import { placeOf } from "../../vfs/webdav/properties.ts";
import { memberOf } from "../tree-paths.ts";
import { type Call, lockPath, xmlOf } from "./call.ts";
import { DAV, type Propfind, readPropfind } from "./elements.ts";
import { hrefOf, parseDepth } from "./headers.ts";
import { isQuota, type Quota, type Subject } from "./live.ts";
import { describing, streamedMultistatus } from "./multistatus.ts";

/** Entries of a folder that an answer holds while its reader takes its time; of all of a large folder 100 readers had 800 MB. */
const PAGE = 1000;
/** Entries whose properties are looked up together. */
const AT_ONCE = 500;
/** Characters that are handed on at once: to wait for each entry by itself takes as long as to write it. */
const PIECE = 16 * 1024;

/** PROPFIND (RFC 4918 section 9.1); all of a tree at once only where that is one file. 404 path.missing, 403 dav.depth. */
export async function propfind(call: Call): Promise<Response> {
  const { request, node, context, rooms } = call;
  const depth = parseDepth(request.headers.get("depth"), "infinity");
  const body = await xmlOf(call);
  const found = await node.describe();
  // Clients that ask for nothing by name, as the npm package webdav, find the space of a folder there.
  const isBare = body === undefined && depth === "0" && !isFile(found);
  const wanted = isBare ? { kind: "all" as const, include: QUOTA } : readPropfind(body);
  if (depth === "infinity" && !isFile(found)) throw new Failure("dav.depth");
  const listing =
    depth === "0" || isFile(found)
      ? undefined
      : await call.view.at(found.location.path).list({ limit: PAGE, more: true });
  // Only what happens from here on can break off an answer that has begun.
  const responses = describe(call, { found, listing, wanted, quota: await quotaFor(call, found, wanted) });
  return streamedMultistatus(responses, (error) =>
    rooms.log.warn("listing broken off", {
      request: context.requestId,
      ...(error instanceof Failure ? { error: error.code } : unforeseen(error)),
    }),
  );
}

interface Described {
  readonly found: Found;
  readonly listing: Listing | undefined;
  readonly wanted: Propfind;
  readonly quota: Quota | undefined;
}

/** What was asked for, and what is in it, in the letters of the request: clients look for what they have asked for. */
async function* describe(call: Call, { found, listing, wanted, quota }: Described): AsyncGenerator<string> {
  const { node, rooms, view, context, caller } = call;
  const { pathTo } = context;
  const { locks, properties } = rooms.vfs;
  const isLink = caller.kind === "link";
  const write = describing(wanted);
  const own = placeOf(found);
  const { path } = node.location;
  const now = rooms.clock();
  const subject = (entry: Entry, at: string, kept: Subject["kept"], mount: Listing["mount"]): Subject => ({
    entry,
    now,
    pathTo,
    // What clients of others have said of a file, and who works on it, is not for whoever has opened a link.
    kept: isLink ? { ...kept, dead: [] } : kept,
    mounted: mount !== undefined,
    since: mount?.created_at,
    locks: mount && !isLink && locks.any() ? locks.at(at.normalize("NFC")) : NO_LOCKS,
    quota: entry.kind === "folder" ? quota : undefined,
  });

  // What clients said of folders that only lead to a key's base path is not for the key.
  const isOpen = own && node.layout.branch(node.location) === undefined;
  const kept = isOpen ? await properties.of(own) : NOTHING_KEPT;
  yield write(
    hrefOf(context, path, found.entry.kind),
    subject(found.entry, lockPath(node), kept, found.location.mount),
  );
  const base = hrefOf(context, path, "folder");
  const yielder = createYielder();
  let text = "";
  for (let page = listing; page; ) {
    const { entries, mounts, next } = page;
    for (let from = 0; from < entries.length; from += AT_ONCE) {
      const some = entries.slice(from, from + AT_ONCE);
      const keyOf = ({ name, kind }: Entry) => `${own?.key ?? ""}${name}${kind === "folder" ? "/" : ""}`;
      const keptOf = isOpen && properties.any() && (await properties.inFolder(own, some.map(keyOf)));
      for (const entry of some) {
        const mount = mounts.get(entry.name) ?? found.location.mount;
        const keptHere = mounts.has(entry.name) || !keptOf ? NOTHING_KEPT : await keptOf(keyOf(entry));
        const href = base + memberOf(entry);
        text += write(href, subject(entry, join(path, entry.name), keptHere, mount));
        if (text.length < PIECE) continue;
        yield text;
        text = "";
      }
      await yielder.yieldIfDue();
    }
    page = next === undefined ? undefined : await view.at(found.location.path).list({ limit: PAGE, cursor: next });
  }
  yield text;
}

const NO_LOCKS: Subject["locks"] = [];
const NOTHING_KEPT: Subject["kept"] = { dead: [], modified: () => undefined };

const QUOTA = ["quota-available-bytes", "quota-used-bytes"].map((name) => ({ namespace: DAV, name }));

/**
 * What the storage of a folder holds and takes, when somebody asks for that; of a folder above mounts, those of all mounts below it
 * together. Storages of which nobody knows how much they take count with nothing.
 */
async function quotaFor(call: Call, { location, entry }: Found, wanted: Propfind): Promise<Quota | undefined> {
  const names = wanted.kind === "some" ? wanted.names : wanted.kind === "all" ? wanted.include : [];
  if (call.caller.kind === "link") return undefined;
  if (entry.kind !== "folder" || !names.some(({ name }) => isQuota(name))) return undefined;
  const storages = storagesOf(call, location);
  if (storages.size === 0) return undefined;
  const held = (await call.rooms.transfers.storages()).filter(({ config }) => storages.has(config.id));
  const free = held.flatMap((one) => one.free ?? []);
  return {
    available: free.length === 0 ? null : free.reduce((sum, one) => sum + one, 0),
    used: held.reduce((sum, one) => sum + one.used, 0),
  };
}

/** The storages that a folder shows, as far as they are the caller's. */
function storagesOf({ node: { layout }, caller }: Call, location: Found["location"]): Set<string> {
  if (location.mount) return new Set([location.mount.storage]);
  const below = layout.spans(location).map(({ mount }) => mount.storage);
  const own = caller.kind === "key" ? layout.location(caller.basePath).mount : undefined;
  return new Set(below.length === 0 && own ? [own.storage] : below);
}
