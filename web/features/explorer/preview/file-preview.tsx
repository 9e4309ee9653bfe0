import EyeOff from "lucide-react/icons/eye-off";
import type { CallOutput } from "#contract/endpoint";
import type { fs } from "#contract/fs";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { shownAs } from "../../../preview/file/kinds.ts";
import { Preview } from "../../../preview/file/preview.tsx";
import { useWays } from "../../../preview/file/ways.ts";
import { EmptyState } from "../../../ui/surface.tsx";

type Found = CallOutput<typeof fs.get>["data"];

interface FilePreviewProps {
  readonly found: Found;
}

/** The file itself, as far as the browser can show it; at its storage, or through the server when that is out of reach. */
export function FilePreview({ found }: FilePreviewProps) {
  useLanguage();
  const { name: filename, contentType: mimetype, typeName, size = 0, path, grant, preview_url, download_url } = found;
  const file = { filename, mimetype, typeName, size };
  const shown = shownAs(file);
  const through = grant ? `/api/fs/download?${new URLSearchParams({ path, grant })}` : undefined;
  const ways = useWays({
    previewUrl: preview_url,
    downloadUrl: download_url ?? "",
    proxy_preview_url: through && `${through}&inline=1`,
    proxy_download_url: through,
  });
  if (shown.as === "nothing") {
    return (
      <EmptyState
        icon={<EyeOff aria-hidden />}
        title={t("explorer.preview.none")}
        text={shown.why ? t(`file.view.${shown.why}`) : t("explorer.preview.noneText")}
      />
    );
  }
  return <Preview file={file} as={shown.as} ways={ways} />;
}
