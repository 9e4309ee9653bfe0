import type { Language } from "#contract/languages";
import type { Shape } from "./shape.ts";
import type { admin } from "./zh/admin.ts";
import type { basket } from "./zh/basket.ts";
import type { editing } from "./zh/editing.ts";
import type { emoji } from "./zh/emoji.ts";
import type { explorer } from "./zh/explorer.ts";
import type { file } from "./zh/file.ts";
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
  readonly file: typeof file;
  readonly upload: typeof upload;
  readonly admin: typeof admin;
  readonly storage: typeof storage;
  readonly explorer: typeof explorer;
  readonly mount: typeof mount;
  readonly search: typeof search;
  readonly basket: typeof basket;
  readonly tasks: typeof tasks;
  readonly offline: typeof offline;
  readonly text: typeof text;
  readonly viewer: typeof viewer;
}

export type Part = keyof Words;

type Loaders = { readonly [P in Part]: () => Promise<Shape<Words[P]>> };

/** Written out, because the bundler makes a file of its own only from an import it can read. */
export const wordLoaders: Readonly<Record<Language, Loaders>> = {
  zh: {
    shell: async () => (await import("./zh/shell.ts")).shell,
    share: async () => (await import("./zh/share.ts")).share,
    paste: async () => (await import("./zh/paste.ts")).paste,
    reading: async () => (await import("./zh/reading.ts")).reading,
    editing: async () => (await import("./zh/editing.ts")).editing,
    emoji: async () => (await import("./zh/emoji.ts")).emoji,
    file: async () => (await import("./zh/file.ts")).file,
    upload: async () => (await import("./zh/upload.ts")).upload,
    admin: async () => (await import("./zh/admin.ts")).admin,
    storage: async () => (await import("./zh/storage.ts")).storage,
    explorer: async () => (await import("./zh/explorer.ts")).explorer,
    mount: async () => (await import("./zh/storage.ts")).mount,
    search: async () => (await import("./zh/explorer.ts")).search,
    basket: async () => (await import("./zh/explorer.ts")).basket,
    tasks: async () => (await import("./zh/explorer.ts")).tasks,
    offline: async () => (await import("./zh/offline.ts")).offline,
    text: async () => (await import("./zh/text.ts")).text,
    viewer: async () => (await import("./zh/viewer.ts")).viewer,
  },
  en: {
    shell: async () => (await import("./en/shell.ts")).shell,
    share: async () => (await import("./en/share.ts")).share,
    paste: async () => (await import("./en/paste.ts")).paste,
    reading: async () => (await import("./en/reading.ts")).reading,
    editing: async () => (await import("./en/editing.ts")).editing,
    emoji: async () => (await import("./en/emoji.ts")).emoji,
    file: async () => (await import("./en/file.ts")).file,
    upload: async () => (await import("./en/upload.ts")).upload,
    admin: async () => (await import("./en/admin.ts")).admin,
    storage: async () => (await import("./en/storage.ts")).storage,
    explorer: async () => (await import("./en/explorer.ts")).explorer,
    mount: async () => (await import("./en/storage.ts")).mount,
    search: async () => (await import("./en/explorer.ts")).search,
    basket: async () => (await import("./en/explorer.ts")).basket,
    tasks: async () => (await import("./en/explorer.ts")).tasks,
    offline: async () => (await import("./en/offline.ts")).offline,
    text: async () => (await import("./en/text.ts")).text,
    viewer: async () => (await import("./en/viewer.ts")).viewer,
  },
};
