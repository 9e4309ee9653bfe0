import type { Verb } from "../access/rights.ts";
import type { Place } from "../stores/store.ts";
import type { TakenBack } from "../transfers/arrivals.ts";
import type { ResolvedPath } from "./access.ts";
import type { FileLink, LinkRequest } from "./addresses.ts";
import { type ArrivedEntry, type ArrivingUpload, beginArriving, putArriving } from "./arrive.ts";
import { areSame, type Copied, type Copying, copyFile, copyTarget, numberedPath, requireDisjoint } from "./copy.ts";
import type { Found } from "./entry.ts";
import { watchedPath, watchedSpans } from "./folder-watches.ts";
import type { Span } from "./layout.ts";
import { type Listing, type ListOptions, list } from "./list.ts";
import { carryFile, type HowCarried, type HowMoved, isOneRename, move, removeMoved, tellGone } from "./move.ts";
import {
  describe,
  type FileVerb,
  type OpenFile,
  open,
  spelledPath,
  stat,
  type Walked,
  type WalkOptions,
  walk,
  wholePlace,
} from "./read.ts";
import { type Removal, type Removed, removal, removalTarget, remove, removeEmpty } from "./remove.ts";
import { type HowReplaced, replaceBy } from "./replace.ts";
import { type SentFile, takeBack } from "./take-back.ts";
import {
  beginUpload,
  type Claim,
  commitUpload,
  giveUpUpload,
  type UploadedFile,
  type UploadRequest,
} from "./uploads.ts";
import { type Content, mkdir, put } from "./write.ts";

export type { Recheck } from "../stores/store.ts";
export type { Kind } from "./addresses.ts";
export type { ArrivedEntry } from "./arrive.ts";
export type { Listing } from "./list.ts";
export type { WalkCursor, Walked } from "./read.ts";
export type { Removed } from "./remove.ts";
export type { UploadedFile } from "./uploads.ts";
export type { Content } from "./write.ts";

/** Leads from a node to the path that it was made of, and so to stores that ask for no right: only this file has it. */
const resolved = Symbol("resolved path");

/** What a node shows of the path that it was made of. */
type Shown = Pick<
  ResolvedPath,
  "layout" | "location" | "staging" | "requireRight" | "requireInBasePath" | "requireWritable" | "find"
>;

/**
 * A path of the tree for one caller, resolved once, with what can be done there. Each verb asks for its own right: 403
 * auth.forbidden without it, path.forbidden outside the caller's base path. Those that write refuse the root (403 path.root),
 * mounts (403 path.mount), paths above all mounts (404 mount.none) and what somebody has locked (423 path.locked), and ask again
 * right before their effect.
 */
export interface Node extends Shown {
  readonly [resolved]: ResolvedPath;
  /** The path for the caller with the rights of this moment. 401 when nobody is left of them. */
  again(): Promise<Node>;
  /** Its path in the letters of its storage, as far as it is there. */
  spelledPath(verb: Verb): Promise<string>;
  /** What is there. 404 path.missing, mount.none. */
  stat(): Promise<Found>;
  /** As `stat`; of a folder with the size of all below it and the time of the newest, for which the index has to catch up. */
  describe(): Promise<Found>;
  /** What is in a folder. 404 path.missing, 400 path.isFile. */
  list(wanted?: ListOptions): Promise<Listing>;
  /** The path of a folder as its storage spells it. 404 path.missing, 400 path.isFile. */
  watchedPath(): Promise<string>;
  /** What of storages a folder consists of for its caller, no storage being asked. */
  watchedSpans(): readonly Span[];
  /** A file whose bytes are wanted, which is not looked for again where `stat` has just found it. 404 path.missing, 400 path.isFolder. */
  open(verb?: FileVerb, known?: Found): Promise<OpenFile>;
  /** An address of a file for whoever it is given to, and how long it holds. As `open`. */
  link(request: Omit<LinkRequest, "caller">): Promise<FileLink>;
  /**
   * Everything below a folder, or the file itself, storage by storage in the order of keys; goes on behind an object that it
   * gave before. Folders only where they are empty. 404 path.missing.
   */
  walk(how?: WalkOptions): AsyncGenerator<Walked>;
  /**
   * Writes a whole file in place of what is there, or makes it. 400 path.isFolder, 409 path.conflict, 412 path.changed,
   * 413 file.tooLarge, 507 storage.full; 400 upload.length when less arrives than was said.
   */
  put(content: Content): Promise<ArrivedEntry>;
  /**
   * Makes a folder and those above it, and returns whether it was not there before; `copy` is the verb where a folder is copied to.
   * 409 path.taken where a file is.
   */
  mkdir(verb?: "mkdir" | "copy"): Promise<boolean>;
  /**
   * Moves a file or a folder within its mount; says whether it replaced something, which it only does where `over` lets it. A reader sees
   * the old or the new, and what fails leaves the old. 404 path.missing; 409 path.taken; 400 path.into, path.otherMount, path.large.
   */
  move(to: Node, how?: HowMoved): Promise<boolean>;
  /**
   * Copies one file, over what is there or not. What was `met` here a moment ago is not looked for again where the storage makes
   * the copy. 404 path.missing; 400 path.isFolder, path.into; 409 path.taken where a folder is; 413, 507.
   */
  copy(to: Node, how: Copying): Promise<Copied>;
  /**
   * Moves a file to another mount, over a file there only when it may overwrite. It is in one of both places, whatever breaks off on
   * the way. 409 path.taken; 412 path.changed when it was written anew meanwhile: then it stays, and its copy as well.
   * Answers the ETag of the copy.
   */
  carry(to: Node, how: HowCarried): Promise<string>;
  /** Refuses to copy or move this into itself, also where a storage is shown twice: there would be no end to it. 400 path.into. */
  requireDisjoint(verb: Verb, to: Node): Promise<void>;
  /**
   * Puts here what `fill` makes beside it, where nobody sees that until it is complete; what fails leaves what was there. Answers
   * what `fill` does, or what was kept of what it was to leave. 409 path.taken; 400 path.large for more than a move copies.
   */
  replaceBy<Failed>(
    fill: (beside: Node) => Promise<readonly Failed[]>,
    how?: HowReplaced<Failed, Node>,
  ): Promise<readonly Failed[]>;
  /**
   * Where a copy of a file goes: here, or where a file is to a name of its own if the setting file_naming_strategy says so.
   * 409 path.taken.
   */
  copyTarget(): Promise<Node>;
  /** A path like this one at which nothing is: `name(1).txt` of a file, and so on. 409 path.taken after a thousand. */
  numberedPath(verb?: "copy" | "write"): Promise<string>;
  /** Whether the file here has the same bytes as another one; mostly both are read for it. */
  hasBytesOf(other: Node): Promise<boolean>;
  /** Whether a move is one rename, whatever lies below: within a mount of real folders. */
  isOneRename(to: Node): Promise<boolean>;
  /** Removes this version of a file that was copied to another path, where its shares follow it. 412 path.changed. */
  removeMoved(to: Node, etag: string): Promise<void>;
  /** Removes a folder, and those in it, as far as they hold no files: what a move leaves behind. */
  removeEmpty(): Promise<void>;
  /** Tells what became of a path at which nothing is: whoever removed or moved it may have ended before everybody knew. */
  tellGone(to?: Node): Promise<void>;
  /** The one place in a storage that a folder is, unless mounts stand in it; undefined for a file. 404 path.missing. */
  wholePlace(verb: Verb): Promise<Place | undefined>;
  /**
   * Removes a file (only this version of it, when one is named), or a folder with all below it, to the trash where its mount has one;
   * returns whether it was there. 412 path.changed, 409 trash.unfit.
   */
  remove(how?: Omit<Removal, "begins">): Promise<boolean>;
  /**
   * Where lies what `remove` would remove, whether anything is there or not; a path that was sent with a slash at its end means a
   * folder. 404 mount.none.
   */
  removalTarget(): Place;
  /** As `remove`, and tells of it piece by piece. */
  removal(how?: Removal): AsyncGenerator<Removed>;
  /** Begins an upload whose bytes go to addresses. 400 upload.parts, path.isFolder; 409 path.reserved; 413 file.tooLarge; 507 storage.full. */
  begin(request: UploadRequest): Promise<ArrivingUpload>;
  /**
   * Ends an upload of one piece: without an id the last one that the caller began here. One that has ended is answered again, if
   * that is not long ago or what is there has exactly the ETag that its sender names. 404 upload.missing, 409 upload.incomplete,
   * also when what is there is not what was sent.
   */
  commit(claim: Claim): Promise<UploadedFile>;
  /** Removes for ever what a sender has sent by a link, if it is as it came, and the folders that were made for it where they are empty then. */
  takeBack(sent: SentFile): Promise<TakenBack>;
  /** Gives up the upload with this id that was begun for this path and is not finished; without one, nothing happens. */
  giveUp(id: string): Promise<void>;
}

export function createNode(at: ResolvedPath): Node {
  const { caller, layout, location, staging, requireRight, requireInBasePath, requireWritable, find } = at;
  return {
    layout,
    location,
    staging,
    requireRight,
    requireInBasePath,
    requireWritable,
    find,
    [resolved]: at,
    again: async () => createNode(await at.again()),
    spelledPath: (verb) => spelledPath(at, verb),
    stat: () => stat(at),
    describe: () => describe(at),
    list: (wanted) => list(at, wanted),
    watchedPath: () => watchedPath(at),
    watchedSpans: () => watchedSpans(at),
    open: (verb, known) => open(at, verb, known),
    link: async (request) => {
      if (request.kind === "attachment") requireRight("download");
      return at.deps.addresses.link(await open(at, "link"), { ...request, caller: at.caller });
    },
    walk: (how) => walk(at, how),
    put: (content) => (caller.kind === "link" ? putArriving(at, caller, content) : put(at, content)),
    mkdir: (verb = "mkdir") => mkdir(at, verb),
    move: (to, how) => move(at, to[resolved], how),
    copy: (to, how) => copyFile(at, to[resolved], how),
    carry: (to, how) => carryFile(at, to[resolved], how),
    requireDisjoint: (verb, to) => requireDisjoint(verb, at, to[resolved]),
    replaceBy: (fill, { leaving, ...how } = {}) =>
      replaceBy(at, (beside) => fill(createNode(beside)), {
        ...how,
        ...(leaving && { leaving: { ...leaving, from: leaving.from[resolved] } }),
      }),
    copyTarget: async () => createNode(await copyTarget(at)),
    numberedPath: (verb = "copy") => numberedPath(at, verb),
    hasBytesOf: (other) => areSame(at, other[resolved]),
    isOneRename: (to) => isOneRename(at, to[resolved]),
    removeMoved: (to, etag) => removeMoved(at, to[resolved], etag),
    removeEmpty: () => removeEmpty(at),
    tellGone: (to) => tellGone(at, to?.[resolved]),
    wholePlace: (verb) => wholePlace(at, verb),
    remove: (how) => remove(at, how),
    removalTarget: () => removalTarget(at),
    removal: (how) => removal(at, how),
    begin: (request) => (caller.kind === "link" ? beginArriving(at, caller, request) : beginUpload(at, request)),
    takeBack: (sent) => takeBack(at, sent),
    commit: (claim) => commitUpload(at, claim),
    giveUp: (id) => giveUpUpload(at, id),
  };
}
