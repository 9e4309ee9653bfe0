import ImageUp from "lucide-react/icons/image-up";
import { useRef, useState } from "react";
import { MAX_LOGO_BYTES } from "#contract/limits";
import { failureText } from "../../../api/failure.ts";
import { setLogo, takeSite } from "../../../api/site.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { siteLogo } from "../../../page/site.ts";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { useShowAgain } from "./use-show-again.ts";

/** The logo of the site: chosen and shown at once, because a picture is no field that could be typed back. */
export function LogoField() {
  useLanguage();
  const input = useRef<HTMLInputElement>(null);
  const showAgain = useShowAgain();
  const [logo, show] = useState(siteLogo);
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<{ readonly tone: "ok" | "error"; readonly text: string }>();

  const change = async (picture: File | null): Promise<void> => {
    if (picture && picture.size > MAX_LOGO_BYTES)
      return setOutcome({ tone: "error", text: t("admin.settings.site.logoHint") });
    setBusy(true);
    try {
      await setLogo(picture);
      await takeSite();
      showAgain();
      show(picture ? URL.createObjectURL(picture) : undefined);
      setOutcome({ tone: "ok", text: t("admin.settings.saved") });
    } catch (error) {
      setOutcome({ tone: "error", text: failureText(error) });
    } finally {
      setBusy(false);
    }
  };

  return (
    <div>
      <p className="mb-1.5 font-medium text-sm">{t("admin.settings.site.logo")}</p>
      <div className="flex flex-wrap items-center gap-3">
        <span className="grid h-14 min-w-14 place-items-center rounded-lg border border-line bg-sunken px-3 text-[13px] text-muted">
          {logo ? (
            <img src={logo} alt={t("admin.settings.site.logo")} className="h-9 w-auto max-w-40 object-contain" />
          ) : (
            t("admin.settings.site.logoNone")
          )}
        </span>
        <input
          ref={input}
          type="file"
          aria-label={t("admin.settings.site.logo")}
          accept="image/png,image/jpeg,image/webp,image/gif"
          className="sr-only"
          tabIndex={-1}
          onChange={({ target }) => {
            const [picture] = target.files ?? [];
            target.value = "";
            if (picture) void change(picture);
          }}
        />
        <Button icon={<ImageUp aria-hidden />} busy={busy} onClick={() => input.current?.click()}>
          {t(logo ? "admin.settings.site.logoReplace" : "admin.settings.site.logoChoose")}
        </Button>
        {logo && (
          <Button variant="plain" disabled={busy} onClick={() => void change(null)}>
            {t("admin.settings.site.logoRemove")}
          </Button>
        )}
      </div>
      <p className="mt-1.5 text-[13px] text-muted">{t("admin.settings.site.logoHint")}</p>
      {outcome && (
        <div className="mt-3">
          <Notice tone={outcome.tone}>{outcome.text}</Notice>
        </div>
      )}
    </div>
  );
}
