import LockKeyhole from "lucide-react/icons/lock-keyhole";
import type { Rights } from "../../../api/session/rights.ts";
import { useSignOutSentence } from "../../../api/session/sign-out-sentence.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useStore } from "../../../lib/store.ts";
import { EmptyState } from "../../../ui/card.tsx";
import { handedOver } from "../../../ui/file-drop/dropped.ts";
import { Notice } from "../../../ui/notice.tsx";
import { OtherSignIn, useKeyName } from "../../../ui/session/other-sign-in.tsx";
import { SignInLink } from "../sign-in-link.tsx";

/** In the place of the drop zone, for those who may not upload. */
export function LockedZone({ rights }: { readonly rights: Rights }) {
  useLanguage();
  const name = useKeyName();
  const ended = useSignOutSentence();
  const waiting = useStore(handedOver)?.files.length ?? 0;
  if (!rights.signedIn) {
    return (
      <>
        {ended ? (
          <Notice tone="plain" className="m-3">
            {ended}
          </Notice>
        ) : null}
        <EmptyState
          icon={<LockKeyhole aria-hidden />}
          title={t("upload.zone.lockedTitle")}
          text={waiting > 0 ? t("upload.zone.lockedWaiting", { count: waiting }) : t("upload.zone.lockedText")}
          action={<SignInLink />}
        />
      </>
    );
  }
  return (
    <EmptyState
      icon={<LockKeyhole aria-hidden />}
      title={t("upload.zone.keyTitle")}
      text={t("upload.zone.keyText", { name })}
      action={<OtherSignIn rights={rights} back="/upload" />}
    />
  );
}
