import Share2 from "lucide-react/icons/share-2";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { IconButton } from "../../ui/button.tsx";
import { copyAndTell } from "../../ui/toast/copy-and-tell.ts";

interface ShareButtonProps {
  readonly link: string;
  readonly title: string;
}

/** Hands the link to the system's own share sheet. Where there is none, the button beside it that copies has to do. */
export function ShareButton({ link, title }: ShareButtonProps) {
  useLanguage();
  // Plain http:// in a local network has no navigator.share, whatever the types say.
  if (!("share" in navigator)) return null;

  const share = async () => {
    try {
      await navigator.share({ title, url: link });
    } catch (error) {
      const changedTheirMind = error instanceof Error && error.name === "AbortError";
      if (!changedTheirMind) await copyAndTell(link, t("file.view.copiedInstead"));
    }
  };
  return (
    <IconButton label={t("file.view.share")} onClick={share}>
      <Share2 aria-hidden />
    </IconButton>
  );
}
