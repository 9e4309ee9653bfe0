import { shownName } from "../../lib/shown-name.ts";
import { AudioPreview } from "./audio-preview.tsx";
import { ImagePreview } from "./image-preview.tsx";
import type { Previewed, Shown } from "./kinds.ts";
import { TextPreviewLoader } from "./text-preview-loader.tsx";
import { VideoPreview } from "./video-preview.tsx";
import type { Ways } from "./ways.ts";

interface PreviewProps {
  readonly file: Pick<Previewed, "filename" | "typeName">;
  readonly as: Exclude<Shown["as"], "nothing">;
  readonly ways: Pick<Ways, "shown" | "read" | "onFail">;
}

/** The file itself, as far as the browser can show it. Never in a frame: what somebody stored must not act as a page of ours. */
export function Preview({ file, as, ways: { shown = "", read = "", onFail } }: PreviewProps) {
  const name = shownName(file.filename);
  // Keyed by address: what failed for one says nothing about the next.
  switch (as) {
    case "image":
      return <ImagePreview key={shown} src={shown} name={name} onFail={onFail} />;
    case "video":
      return <VideoPreview key={shown} src={shown} name={name} onFail={onFail} />;
    case "audio":
      return <AudioPreview key={shown} src={shown} file={file} onFail={onFail} />;
    case "markdown":
    case "text":
      return <TextPreviewLoader key={read} src={read} as={as} />;
  }
}
