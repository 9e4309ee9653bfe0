import type { Place } from "../stores/store.ts";
import type { ResolvedPath } from "./access.ts";
import type { FileLink, LinkRequest } from "./addresses.ts";
import { type Copied, type Copying, copyFile } from "./copy.ts";
import type { Found } from "./lookup.ts";
import { type HowMoved, move } from "./move.ts";
import {
  describe,
  type FileVerb,
  type Listing,
  type ListOptions,
  list,
  type OpenFile,
  open,
  stat,
  type Walked,
  type WalkOptions,
  walk,
} from "./read.ts";
import { type Removal, type Removed, removal, removalTarget, remove } from "./remove.ts";
import {
  beginUpload,
  type Claim,
  commitUpload,
  giveUpUpload,
  type TreeUpload,
  type UploadedFile,
  type UploadRequest,
} from "./uploads.ts";
import { type Content, mkdir, put, type WrittenEntry } from "./write.ts";

/**
 * A path of the tree for one caller, resolved once, with what can be done there. Each verb asks for its own right: 403
 * auth.forbidden without it, path.forbidden outside the caller's base path. Those that write refuse the root (403 path.root),
 * mounts (403 path.mount), paths above all mounts (404 mount.none) and what somebody has locked (423 path.locked), and ask again
 * right before their effect.
 */
export interface Node extends ResolvedPath {
  /** What is there. 404 path.missing, mount.none. */
  stat(): Promise<Found>;
  /** As `stat`; of a folder with the size of all below it and the time of the newest, for which the index has to catch up. */
  describe(): Promise<Found>;
  /** What is in a folder. 404 path.missing, 400 path.isFile. */
  list(wanted?: ListOptions): Promise<Listing>;
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
  put(content: Content): Promise<WrittenEntry>;
  /** Makes a folder and those above it, and returns whether it was not there before. 409 path.taken where a file is. */
  mkdir(): Promise<boolean>;
  /**
   * Moves a file or a folder within its mount; says whether it replaced something, which it only does where `over` lets it. A reader sees
   * the old or the new, and what fails leaves the old. 404 path.missing; 409 path.taken; 400 path.into, path.otherMount, path.large.
   */
  move(to: ResolvedPath, how?: HowMoved): Promise<boolean>;
  /**
   * Copies one file, over what is there or not. What was `met` here a moment ago is not looked for again where the storage makes
   * the copy. 404 path.missing; 400 path.isFolder, path.into; 409 path.taken where a folder is; 413, 507.
   */
  copy(to: ResolvedPath, how: Copying): Promise<Copied>;
  /**
   * Removes a file (only this version of it, when one is named), or a folder with all below it; returns whether it was there.
   * 412 path.changed.
   */
  remove(how?: Pick<Removal, "ifMatch" | "condition">): Promise<boolean>;
  /**
   * Where lies what `remove` would remove, whether anything is there or not; a path that was sent with a slash at its end means a
   * folder. 404 mount.none.
   */
  removalTarget(): Place;
  /** As `remove`, and tells of it piece by piece. */
  removal(how?: Removal): AsyncGenerator<Removed>;
  /** Begins an upload whose bytes go to addresses. 400 upload.parts, path.isFolder; 409 path.reserved; 413 file.tooLarge; 507 storage.full. */
  begin(request: UploadRequest): Promise<TreeUpload>;
  /**
   * Ends an upload of one piece: without an id the last one that the caller began here. One that has ended is answered again, if
   * that is not long ago or what is there has exactly the ETag that its sender names. 404 upload.missing, 409 upload.incomplete,
   * also when what is there is not what was sent.
   */
  commit(claim: Claim): Promise<UploadedFile>;
  /** Gives up the upload with this id that was begun for this path and is not finished; without one, nothing happens. */
  giveUp(id: string): Promise<void>;
}

export const createNode = (at: ResolvedPath): Node => ({
  ...at,
  stat: () => stat(at),
  describe: () => describe(at),
  list: (wanted) => list(at, wanted),
  open: (verb, known) => open(at, verb, known),
  link: async (request) => at.deps.addresses.link(await open(at, "link"), { ...request, caller: at.caller }),
  walk: (how) => walk(at, how),
  put: (content) => put(at, content),
  mkdir: () => mkdir(at, "mkdir"),
  move: (to, how) => move(at, to, how),
  copy: (to, how) => copyFile(at, to, how),
  remove: (how) => remove(at, how),
  removalTarget: () => removalTarget(at),
  removal: (how) => removal(at, how),
  begin: (request) => beginUpload(at, request),
  commit: (claim) => commitUpload(at, claim),
  giveUp: (id) => giveUpUpload(at, id),
});
