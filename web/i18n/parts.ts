import type { Language } from "#contract/languages";
import type { Shape } from "./shape.ts";
import type { admin } from "./zh/admin.ts";
import type { basket } from "./zh/basket.ts";
import type { editing } from "./zh/editing.ts";
import type { emoji } from "./zh/emoji.ts";
import type { explorer } from "./zh/explorer.ts";
import type { file } from "./zh/file.ts";
import type { help } from "./zh/help.ts";
import type { leaving } from "./zh/leaving.ts";
import type { link } from "./zh/link.ts";
import type { mount } from "./zh/mount.ts";
import type { offline } from "./zh/offline.ts";
import type { paste } from "./zh/paste.ts";
import type { reading } from "./zh/reading.ts";
import type { search } from "./zh/search.ts";
import type { share } from "./zh/share.ts";
import type { shell } from "./zh/shell.ts";
import type { storage } from "./zh/storage.ts";
import type { tasks } from "./zh/tasks.ts";
import type { text } from "./zh/text.ts";
import type { trash } from "./zh/trash.ts";
import type { upload } from "./zh/upload.ts";
import type { viewer } from "./zh/viewer.ts";

/** The dictionary's parts. Chinese is the shape, every other language must match it. */
export interface Words {
  readonly shell: typeof shell;
  readonly share: typeof share;
  readonly paste: typeof paste;
  readonly reading: typeof reading;
  readonly editing: typeof editing;
  readonly emoji: typeof emoji;
  readonly help: typeof help;
  readonly file: typeof file;
  readonly upload: typeof upload;
  readonly admin: typeof admin;
  readonly leaving: typeof leaving;
  readonly storage: typeof storage;
  readonly explorer: typeof explorer;
  readonly mount: typeof mount;
  readonly link: typeof link;
  readonly search: typeof search;
  readonly basket: typeof basket;
  readonly trash: typeof trash;
  readonly tasks: typeof tasks;
  readonly offline: typeof offline;
  readonly text: typeof text;
  readonly viewer: typeof viewer;
}

export type Part = keyof Words;

type Loaders = { readonly [P in Part]: () => Promise<{ readonly [Name in P]: Shape<Words[Name]> }> };

/**
 * The files of the parts, each of which exports its part by name. Written out, because the bundler makes a file of its own only from an
 * import it can read.
 */
export const wordLoaders: Readonly<Record<Language, Loaders>> = {
  zh: {
    shell: () => import("./zh/shell.ts"),
    share: () => import("./zh/share.ts"),
    paste: () => import("./zh/paste.ts"),
    reading: () => import("./zh/reading.ts"),
    editing: () => import("./zh/editing.ts"),
    emoji: () => import("./zh/emoji.ts"),
    help: () => import("./zh/help.ts"),
    file: () => import("./zh/file.ts"),
    upload: () => import("./zh/upload.ts"),
    admin: () => import("./zh/admin.ts"),
    leaving: () => import("./zh/leaving.ts"),
    storage: () => import("./zh/storage.ts"),
    explorer: () => import("./zh/explorer.ts"),
    mount: () => import("./zh/storage.ts"),
    link: () => import("./zh/link.ts"),
    search: () => import("./zh/explorer.ts"),
    basket: () => import("./zh/explorer.ts"),
    trash: () => import("./zh/explorer.ts"),
    tasks: () => import("./zh/explorer.ts"),
    offline: () => import("./zh/offline.ts"),
    text: () => import("./zh/text.ts"),
    viewer: () => import("./zh/viewer.ts"),
  },
  en: {
    shell: () => import("./en/shell.ts"),
    share: () => import("./en/share.ts"),
    paste: () => import("./en/paste.ts"),
    reading: () => import("./en/reading.ts"),
    editing: () => import("./en/editing.ts"),
    emoji: () => import("./en/emoji.ts"),
    help: () => import("./en/help.ts"),
    file: () => import("./en/file.ts"),
    upload: () => import("./en/upload.ts"),
    admin: () => import("./en/admin.ts"),
    leaving: () => import("./en/leaving.ts"),
    storage: () => import("./en/storage.ts"),
    explorer: () => import("./en/explorer.ts"),
    mount: () => import("./en/storage.ts"),
    link: () => import("./en/link.ts"),
    search: () => import("./en/explorer.ts"),
    basket: () => import("./en/explorer.ts"),
    trash: () => import("./en/explorer.ts"),
    tasks: () => import("./en/explorer.ts"),
    offline: () => import("./en/offline.ts"),
    text: () => import("./en/text.ts"),
    viewer: () => import("./en/viewer.ts"),
  },
};
