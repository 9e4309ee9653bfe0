import Share from "lucide-react/icons/share";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { IconButton } from "../button.tsx";
import { copyAndTell } from "../toast/copy-and-tell.ts";

interface SystemShareProps {
  /** What the button is called on pages that do not speak the words of texts. */
  readonly label?: string;
  readonly link: string;
}

/** A button that hands a link to the apps of this device, where its browser can; it is copied where that fails. */
export function SystemShare({ label, link }: SystemShareProps) {
  useLanguage();
  if (!("share" in navigator)) return null;
  const share = async () => {
    try {
      await navigator.share({ url: link });
    } catch (error) {
      // Whoever closes the sheet has changed their mind.
      if (error instanceof DOMException && error.name === "AbortError") return;
      await copyAndTell(link);
    }
  };
  return (
    <IconButton label={label ?? t("share.send")} onClick={share}>
      <Share aria-hidden />
    </IconButton>
  );
}
