import { type FileType, fileTypes } from "#contract/files";
import { extensionOf } from "../lib/mime.ts";
import type { SettingName } from "../settings/groups.ts";
import type { Settings } from "../settings/settings.ts";

/** Asked in this order: some endings stand in two lists. */
const lists = [
  ["text", "preview_text_types"],
  ["image", "preview_image_types"],
  ["video", "preview_video_types"],
  ["audio", "preview_audio_types"],
  ["office", "preview_office_types"],
  ["document", "preview_document_types"],
] as const satisfies readonly (readonly [FileType, SettingName])[];

const byMediaType: readonly (readonly [pattern: RegExp, kind: FileType])[] = [
  [/^text\//, "text"],
  [/^image\//, "image"],
  [/^video\//, "video"],
  [/^audio\//, "audio"],
  [/^application\/pdf$/, "document"],
];

/** What a file is for those who show it: by its ending as the settings say, else by its media type. */
export function kindOf(file: { filename: string; content_type: string }, settings: Settings) {
  const typeName = named(file, settings);
  return { type: fileTypes.indexOf(typeName), typeName };
}

function named({ filename, content_type }: { filename: string; content_type: string }, settings: Settings): FileType {
  const extension = extensionOf(filename);
  if (extension === "") return "unknown";
  const listed = lists.find(([, setting]) => endings(settings.get(setting)).includes(extension));
  if (listed) return listed[0];
  return byMediaType.find(([pattern]) => pattern.test(content_type))?.[1] ?? "unknown";
}

const endings = (list: string): string[] => list.split(",").map((ending) => ending.trim().toLowerCase());
