import { fetchableAddress } from "../../../api/links.ts";
import { shownName } from "../../../lib/shown-name.ts";
import type { OpenFile } from "../door.ts";
import type { Shown } from "../kinds.ts";
import { AudioPreview } from "./audio-preview.tsx";
import { ImagePreview } from "./image-preview.tsx";
import { TextPreviewLoader } from "./text-preview-loader.tsx";
import { VideoPreview } from "./video-preview.tsx";

interface PreviewProps {
  readonly file: OpenFile;
  readonly shown: Exclude<Shown, { readonly as: "nothing" }>;
}

/** The file itself, as far as the browser can show it. Never in a frame: what somebody stored must not act as a page of ours. */
export function Preview({ file, shown }: PreviewProps) {
  const src = fetchableAddress(shown.url);
  const name = shownName(file.filename);
  // Keyed by address: what failed for one says nothing about the next.
  switch (shown.as) {
    case "image":
      return <ImagePreview key={src} src={src} name={name} />;
    case "video":
      return <VideoPreview key={src} src={src} name={name} />;
    case "audio":
      return <AudioPreview key={src} src={src} file={file} />;
    case "markdown":
    case "text":
      return <TextPreviewLoader key={src} src={src} as={shown.as} />;
  }
}
