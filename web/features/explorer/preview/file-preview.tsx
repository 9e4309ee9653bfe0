import EyeOff from "lucide-react/icons/eye-off";
import type { ComponentProps } from "react";
import type { CallOutput } from "#contract/endpoint";
import type { fs } from "#contract/fs/fs";
import { fetchableAddress } from "../../../api/share-addresses.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useCode } from "../../../page/code.ts";
import { countDownload } from "../../../preview/file/count-download.ts";
import { useFileAddresses } from "../../../preview/file/file-addresses.ts";
import type { Neighbours } from "../../../preview/file/neighbours.ts";
import { useShown } from "../../../preview/file/use-shown.ts";
import { FileViewer } from "../../../preview/file/viewer.tsx";
import { EmptyState } from "../../../ui/card.tsx";
import { LoadedCode } from "../../../ui/loaded-code.tsx";
import { useTree } from "../tree.ts";
import { onlineAddressOf, throughServer, thumbAddress } from "./addresses.ts";

type FileDetails = CallOutput<typeof fs.get>["data"];

interface FilePreviewProps {
  readonly found: FileDetails;
  readonly neighbours: Neighbours;
}

/** The file itself, as far as the browser can show it; one that is sealed once it is opened here. */
export function FilePreview({ found, neighbours }: FilePreviewProps) {
  const sealed = /\.age$/i.test(found.name) ? throughServer(found) : undefined;
  if (sealed === undefined) return <PlainPreview {...{ found, neighbours }} />;
  const { name, path, size = 0 } = found;
  return <SealedPreview {...{ name, path, size, neighbours }} address={fetchableAddress(`${sealed}&inline=1`)} />;
}

async function loadSealedFile() {
  const { loadWords } = await import("../../../i18n/i18n.ts");
  return (await Promise.all([import("./sealed-file.tsx"), loadWords("sealed")]))[0].SealedFile;
}

function SealedPreview(props: ComponentProps<Awaited<ReturnType<typeof loadSealedFile>>>) {
  const code = useCode("sealed file of the tree", loadSealedFile);
  return <LoadedCode code={code}>{(SealedFile) => <SealedFile {...props} />}</LoadedCode>;
}

/** At its storage, or through the server when that is out of reach. */
function PlainPreview({ found, neighbours }: FilePreviewProps) {
  useLanguage();
  const { call, link } = useTree();
  const { name: filename, contentType: mimetype, typeName, size = 0, preview_url, download_url } = found;
  const file = { filename, mimetype, typeName, size };
  const through = throughServer(found);
  const addresses = useFileAddresses({
    previewUrl: preview_url,
    downloadUrl: download_url ?? "",
    proxy_preview_url: through && `${through}&inline=1`,
    proxy_download_url: through,
  });
  const shown = useShown(file, addresses.read);
  if (shown.as === "nothing") {
    const why = shown.why === "tooLarge" ? t("file.view.tooLarge") : t("explorer.preview.noneText");
    return <EmptyState icon={<EyeOff aria-hidden />} title={t("explorer.preview.none")} text={why} />;
  }
  const small = thumbAddress(found, "1280");
  // Downloads of one's own tree are not counted.
  const takeOut = async () => {
    if (link && addresses.counted) await countDownload(addresses.counted);
  };
  return (
    <FileViewer
      {...{ file, addresses, neighbours }}
      as={shown.as}
      small={small ? { src: small, facts: found.picture } : undefined}
      onlineAddress={onlineAddressOf(call, found.path)}
      takeOut={link?.mayDownload === false ? undefined : takeOut}
    />
  );
}
