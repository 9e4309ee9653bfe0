import LockKeyhole from "lucide-react/icons/lock-keyhole";
import type { Rights } from "../../../api/rights.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { EmptyState } from "../../../ui/surface.tsx";
import { SignInLink, useKeyName, WayOut } from "../way-on.tsx";

/** In the place of the drop zone, for those who may not upload. */
export function LockedZone({ rights }: { readonly rights: Rights }) {
  useLanguage();
  const name = useKeyName();
  if (!rights.signedIn) {
    return (
      <EmptyState
        icon={<LockKeyhole aria-hidden />}
        title={t("upload.zone.lockedTitle")}
        text={t("upload.zone.lockedText")}
        action={<SignInLink />}
      />
    );
  }
  return (
    <EmptyState
      icon={<LockKeyhole aria-hidden />}
      title={t("upload.zone.keyTitle")}
      text={t("upload.zone.keyText", { name })}
      action={<WayOut rights={rights} />}
    />
  );
}
