// Made by write-parts.ts; do not change it by hand.
import type { Language } from "#contract/languages";
import type { Shape } from "./shape.ts";
import type { admin } from "./zh/admin.ts";
import type { basket } from "./zh/basket.ts";
import type { connect } from "./zh/connect.ts";
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
import type { sealed } from "./zh/sealed.ts";
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
  readonly admin: typeof admin;
  readonly basket: typeof basket;
  readonly connect: typeof connect;
  readonly editing: typeof editing;
  readonly emoji: typeof emoji;
  readonly explorer: typeof explorer;
  readonly file: typeof file;
  readonly help: typeof help;
  readonly leaving: typeof leaving;
  readonly link: typeof link;
  readonly mount: typeof mount;
  readonly offline: typeof offline;
  readonly paste: typeof paste;
  readonly reading: typeof reading;
  readonly sealed: typeof sealed;
  readonly search: typeof search;
  readonly share: typeof share;
  readonly shell: typeof shell;
  readonly storage: typeof storage;
  readonly tasks: typeof tasks;
  readonly text: typeof text;
  readonly trash: typeof trash;
  readonly upload: typeof upload;
  readonly viewer: typeof viewer;
}

export type Part = keyof Words;

type Loaders = { readonly [P in Part]: () => Promise<{ readonly [Name in P]: Shape<Words[Name]> }> };

/** The files of the parts. The bundler makes a file of its own only from an import that names it. */
export const wordLoaders: Readonly<Record<Language, Loaders>> = {
  zh: {
    admin: () => import("./zh/admin.ts"),
    basket: () => import("./zh/explorer.ts"),
    connect: () => import("./zh/connect.ts"),
    editing: () => import("./zh/editing.ts"),
    emoji: () => import("./zh/emoji.ts"),
    explorer: () => import("./zh/explorer.ts"),
    file: () => import("./zh/file.ts"),
    help: () => import("./zh/help.ts"),
    leaving: () => import("./zh/leaving.ts"),
    link: () => import("./zh/link.ts"),
    mount: () => import("./zh/storage.ts"),
    offline: () => import("./zh/offline.ts"),
    paste: () => import("./zh/paste.ts"),
    reading: () => import("./zh/reading.ts"),
    sealed: () => import("./zh/sealed.ts"),
    search: () => import("./zh/explorer.ts"),
    share: () => import("./zh/share.ts"),
    shell: () => import("./zh/shell.ts"),
    storage: () => import("./zh/storage.ts"),
    tasks: () => import("./zh/explorer.ts"),
    text: () => import("./zh/text.ts"),
    trash: () => import("./zh/explorer.ts"),
    upload: () => import("./zh/upload.ts"),
    viewer: () => import("./zh/viewer.ts"),
  },
  en: {
    admin: () => import("./en/admin.ts"),
    basket: () => import("./en/explorer.ts"),
    connect: () => import("./en/connect.ts"),
    editing: () => import("./en/editing.ts"),
    emoji: () => import("./en/emoji.ts"),
    explorer: () => import("./en/explorer.ts"),
    file: () => import("./en/file.ts"),
    help: () => import("./en/help.ts"),
    leaving: () => import("./en/leaving.ts"),
    link: () => import("./en/link.ts"),
    mount: () => import("./en/storage.ts"),
    offline: () => import("./en/offline.ts"),
    paste: () => import("./en/paste.ts"),
    reading: () => import("./en/reading.ts"),
    sealed: () => import("./en/sealed.ts"),
    search: () => import("./en/explorer.ts"),
    share: () => import("./en/share.ts"),
    shell: () => import("./en/shell.ts"),
    storage: () => import("./en/storage.ts"),
    tasks: () => import("./en/explorer.ts"),
    text: () => import("./en/text.ts"),
    trash: () => import("./en/explorer.ts"),
    upload: () => import("./en/upload.ts"),
    viewer: () => import("./en/viewer.ts"),
  },
  ja: {
    admin: () => import("./ja/admin.ts"),
    basket: () => import("./ja/explorer.ts"),
    connect: () => import("./ja/connect.ts"),
    editing: () => import("./ja/editing.ts"),
    emoji: () => import("./ja/emoji.ts"),
    explorer: () => import("./ja/explorer.ts"),
    file: () => import("./ja/file.ts"),
    help: () => import("./ja/help.ts"),
    leaving: () => import("./ja/leaving.ts"),
    link: () => import("./ja/link.ts"),
    mount: () => import("./ja/storage.ts"),
    offline: () => import("./ja/offline.ts"),
    paste: () => import("./ja/paste.ts"),
    reading: () => import("./ja/reading.ts"),
    sealed: () => import("./ja/sealed.ts"),
    search: () => import("./ja/explorer.ts"),
    share: () => import("./ja/share.ts"),
    shell: () => import("./ja/shell.ts"),
    storage: () => import("./ja/storage.ts"),
    tasks: () => import("./ja/explorer.ts"),
    text: () => import("./ja/text.ts"),
    trash: () => import("./ja/explorer.ts"),
    upload: () => import("./ja/upload.ts"),
    viewer: () => import("./ja/viewer.ts"),
  },
  es: {
    admin: () => import("./es/admin.ts"),
    basket: () => import("./es/explorer.ts"),
    connect: () => import("./es/connect.ts"),
    editing: () => import("./es/editing.ts"),
    emoji: () => import("./es/emoji.ts"),
    explorer: () => import("./es/explorer.ts"),
    file: () => import("./es/file.ts"),
    help: () => import("./es/help.ts"),
    leaving: () => import("./es/leaving.ts"),
    link: () => import("./es/link.ts"),
    mount: () => import("./es/storage.ts"),
    offline: () => import("./es/offline.ts"),
    paste: () => import("./es/paste.ts"),
    reading: () => import("./es/reading.ts"),
    sealed: () => import("./es/sealed.ts"),
    search: () => import("./es/explorer.ts"),
    share: () => import("./es/share.ts"),
    shell: () => import("./es/shell.ts"),
    storage: () => import("./es/storage.ts"),
    tasks: () => import("./es/explorer.ts"),
    text: () => import("./es/text.ts"),
    trash: () => import("./es/explorer.ts"),
    upload: () => import("./es/upload.ts"),
    viewer: () => import("./es/viewer.ts"),
  },
  de: {
    admin: () => import("./de/admin.ts"),
    basket: () => import("./de/explorer.ts"),
    connect: () => import("./de/connect.ts"),
    editing: () => import("./de/editing.ts"),
    emoji: () => import("./de/emoji.ts"),
    explorer: () => import("./de/explorer.ts"),
    file: () => import("./de/file.ts"),
    help: () => import("./de/help.ts"),
    leaving: () => import("./de/leaving.ts"),
    link: () => import("./de/link.ts"),
    mount: () => import("./de/storage.ts"),
    offline: () => import("./de/offline.ts"),
    paste: () => import("./de/paste.ts"),
    reading: () => import("./de/reading.ts"),
    sealed: () => import("./de/sealed.ts"),
    search: () => import("./de/explorer.ts"),
    share: () => import("./de/share.ts"),
    shell: () => import("./de/shell.ts"),
    storage: () => import("./de/storage.ts"),
    tasks: () => import("./de/explorer.ts"),
    text: () => import("./de/text.ts"),
    trash: () => import("./de/explorer.ts"),
    upload: () => import("./de/upload.ts"),
    viewer: () => import("./de/viewer.ts"),
  },
  fr: {
    admin: () => import("./fr/admin.ts"),
    basket: () => import("./fr/explorer.ts"),
    connect: () => import("./fr/connect.ts"),
    editing: () => import("./fr/editing.ts"),
    emoji: () => import("./fr/emoji.ts"),
    explorer: () => import("./fr/explorer.ts"),
    file: () => import("./fr/file.ts"),
    help: () => import("./fr/help.ts"),
    leaving: () => import("./fr/leaving.ts"),
    link: () => import("./fr/link.ts"),
    mount: () => import("./fr/storage.ts"),
    offline: () => import("./fr/offline.ts"),
    paste: () => import("./fr/paste.ts"),
    reading: () => import("./fr/reading.ts"),
    sealed: () => import("./fr/sealed.ts"),
    search: () => import("./fr/explorer.ts"),
    share: () => import("./fr/share.ts"),
    shell: () => import("./fr/shell.ts"),
    storage: () => import("./fr/storage.ts"),
    tasks: () => import("./fr/explorer.ts"),
    text: () => import("./fr/text.ts"),
    trash: () => import("./fr/explorer.ts"),
    upload: () => import("./fr/upload.ts"),
    viewer: () => import("./fr/viewer.ts"),
  },
};
