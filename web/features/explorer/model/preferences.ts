import { browserStorage, type KeyValue } from "../../../lib/storage.ts";
import { createStore } from "../../../lib/store.ts";
import { type Sort, sortFields } from "./order.ts";

export const views = ["list", "grid", "gallery"] as const;
export type ViewName = (typeof views)[number];

/** How files are uploaded: to their storage, through this server, or in parts from 5 MiB on. */
export const uploadModes = ["presigned", "direct", "multipart"] as const;
export type UploadMode = (typeof uploadModes)[number];

/** Columns 0 is as many as fit; gaps in pixels. */
export interface GallerySettings {
  readonly columns: number;
  readonly across: number;
  readonly down: number;
}

/** The gallery's choices: the most columns, and the widest gap with the step between two. */
export const GALLERY = { columns: [0, 2, 3, 4, 5, 6], gap: 48, step: 2 } as const;

/** A person's choices for all folders. */
export interface Preferences {
  readonly view: ViewName;
  readonly sort: Sort | undefined;
  readonly gallery: GallerySettings;
  readonly mode: UploadMode;
  /** Details stand beside the list, where there is room. */
  readonly details: boolean;
  /** The tree of folders stands beside the list, where there is room. */
  readonly tree: boolean;
}

export const usual: Preferences = {
  view: "list",
  sort: undefined,
  gallery: { columns: 0, across: 16, down: 20 },
  mode: "presigned",
  details: false,
  tree: true,
};

const KEY = "explorer";

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

function sortIn(value: unknown): Sort | undefined {
  if (!isRecord(value)) return undefined;
  const field = sortFields.find((one) => one === value.field);
  return field && { field, down: value.down === true };
}

function galleryIn(value: unknown): GallerySettings {
  if (!isRecord(value)) return usual.gallery;
  const gap = (one: unknown, otherwise: number) =>
    typeof one === "number" && one >= 0 && one <= GALLERY.gap ? one : otherwise;
  const columns = GALLERY.columns.find((one) => one === value.columns) ?? usual.gallery.columns;
  return { columns, across: gap(value.across, usual.gallery.across), down: gap(value.down, usual.gallery.down) };
}

/** Returns the stored preferences, as far as they are valid: another version of the app may have written them. */
function read(storage: KeyValue): Preferences {
  try {
    const value: unknown = JSON.parse(storage.get(KEY) ?? "null");
    if (!isRecord(value)) return usual;
    return {
      view: views.find((one) => one === value.view) ?? usual.view,
      sort: sortIn(value.sort),
      gallery: galleryIn(value.gallery),
      mode: uploadModes.find((one) => one === value.mode) ?? usual.mode,
      details: value.details === true,
      tree: value.tree !== false,
    };
  } catch {
    return usual;
  }
}

/** Makes the preferences of this browser, which survive reloads if it allows storage. */
export function createPreferences(storage: KeyValue) {
  const store = createStore(read(storage));
  return {
    ...store,
    change(part: Partial<Preferences>): void {
      store.set({ ...store.get(), ...part });
      storage.set(KEY, JSON.stringify(store.get()));
    },
  };
}

export const preferences = createPreferences(browserStorage);
