import type { ComponentType } from "react";
import { type Previewed, shownAs, type ViewerKind } from "#contract/shown-as";
import { loadWords } from "../../i18n/i18n.ts";
import type { Part } from "../../i18n/parts.ts";
import type { ViewerProps } from "./props.ts";

type Viewer = ComponentType<ViewerProps>;

/** A viewer with the words of its toolbar. */
const withWords =
  (load: () => Promise<Viewer>, ...parts: Part[]) =>
  async (): Promise<Viewer> =>
    (await Promise.all([load(), loadWords(...parts)]))[0];

const text = withWords(async () => (await import("../text/text-viewer.tsx")).TextViewer, "text");

/** The viewer of each kind, a chunk of its own. */
export const viewers: Readonly<Record<ViewerKind, () => Promise<Viewer>>> = {
  image: async () => (await import("../image/image-viewer.tsx")).ImageViewer,
  video: withWords(async () => (await import("../video/video-viewer.tsx")).VideoViewer, "viewer"),
  audio: withWords(async () => (await import("../audio/audio-viewer.tsx")).AudioViewer, "viewer"),
  text,
  markdown: text,
  html: text,
  csv: text,
  json: text,
  pdf: withWords(async () => (await import("../pdf/pdf-viewer.tsx")).PdfViewer, "viewer", "text"),
  docx: withWords(async () => (await import("../docx/docx-viewer.tsx")).DocxViewer, "viewer", "text"),
  sheet: withWords(async () => (await import("../sheet/sheet-viewer.tsx")).SheetViewer, "viewer", "text"),
  office: withWords(async () => (await import("../office/office-viewer.tsx")).OfficeViewer, "viewer"),
  epub: withWords(async () => (await import("../epub/epub-viewer.tsx")).EpubViewer, "viewer", "text"),
  archive: withWords(async () => (await import("../archive/archive-viewer.tsx")).ArchiveViewer, "viewer", "text"),
};

const loaded: Partial<Record<ViewerKind, Viewer>> = {};

/** A viewer that was loaded ahead: nothing stands in its place for a moment. */
export const loadedViewer = (kind: ViewerKind): Viewer | undefined => loaded[kind];

/** Loads what shows a file, as far as is known of it. Rejects when that fails. */
export async function loadViewer(file: Omit<Previewed, "size">): Promise<void> {
  const shown = shownAs({ ...file, size: 0 });
  if (shown.as === "nothing") return;
  loaded[shown.as] = await viewers[shown.as]();
  if (viewers[shown.as] === text) await (await import("../text/text-viewer.tsx")).loadView(shown.as);
}
