import { endingOf, kindOfMedia } from "#contract/file-kinds";
import { type FileType, fileTypes } from "#contract/files";
import type { SettingName } from "../settings/groups.ts";
import type { Settings } from "../settings/settings.ts";

/** Checked in this order: some extensions are in two lists. */
const lists = [
  ["text", "preview_text_types"],
  ["image", "preview_image_types"],
  ["video", "preview_video_types"],
  ["audio", "preview_audio_types"],
  ["office", "preview_office_types"],
  ["document", "preview_document_types"],
] as const satisfies readonly (readonly [FileType, SettingName])[];

/** The kind of a file, for its viewers. */
interface FileKind {
  readonly type: number;
  readonly typeName: FileType;
}

const kinds = Object.fromEntries(fileTypes.map((typeName, type) => [typeName, { type, typeName }])) as Readonly<
  Record<FileType, FileKind>
>;

/** Says what a file is for those who show it. */
type KindOf = (file: { readonly filename: string; readonly content_type: string }) => FileKind;

/**
 * Returns the function that says what files are now: by their names as the settings have it, else by their media types. The settings
 * are read anew only when they have changed.
 */
export function createFileKinds(settings: Pick<Settings, "get">): () => KindOf {
  let known: { readonly said: string; readonly kindOf: KindOf } | undefined;
  return () => {
    const said = lists.map(([, setting]) => settings.get(setting)).join("\n");
    if (known?.said !== said) known = { said, kindOf: kindsBy(settings) };
    return known.kindOf;
  };
}

function kindsBy(settings: Pick<Settings, "get">): KindOf {
  const byEnding = new Map<string, FileKind>();
  for (const [type, setting] of lists)
    for (const ending of endings(settings.get(setting))) if (!byEnding.has(ending)) byEnding.set(ending, kinds[type]);
  /** That of the file before, which files of one list mostly have too: to cut it out of each name would take half of this. */
  let last: { readonly ending: string; readonly kind: FileKind } | undefined;
  return ({ filename, content_type }) => {
    if (last && filename.endsWith(last.ending)) return last.kind;
    const ending = endingOf(filename);
    const kind = byEnding.get(ending);
    // Nothing behind it: the whole name is the ending.
    if (kind && ending.length < filename.length) last = { ending: `.${ending}`, kind };
    return kind ?? kinds[kindOfMedia(content_type)];
  };
}

const endings = (list: string): string[] => {
  const named = list.split(",").map((ending) => ending.trim().toLowerCase());
  return named.filter((ending) => ending !== "");
};
