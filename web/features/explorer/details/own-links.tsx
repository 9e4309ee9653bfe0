import { useState } from "react";
import type { LinkRecord } from "#contract/links";
import { useFileList } from "../../../api/files.ts";
import { useLinkList, useUpdateLink } from "../../../api/links.ts";
import { useRights } from "../../../api/session/rights.ts";
import { linkPage } from "../../../api/share-addresses.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button, ButtonLink } from "../../../ui/button.tsx";
import { Skeleton } from "../../../ui/card.tsx";
import { LinkFacts, linkName } from "../../../ui/link-form/facts.tsx";
import { FailedNotice } from "../../../ui/notice.tsx";
import { toast } from "../../../ui/toast/toast.ts";
import { toastFailure } from "../../../ui/toast/toast-failure.ts";
import { OwnRow } from "./own-row.tsx";
import { OwnShare } from "./own-share.tsx";

/** Links that are shown at once, and how many more a press shows. */
const STEP = 10;
/** As many as the server tells in one answer. */
const MOST = 100;

/** The caller's own links that lead to a file or folder, and shares of the file: each to copy, to show to a phone and to revoke. */
export function OwnLinks({ path }: { readonly path: string }) {
  useLanguage();
  const rights = useRights();
  const [limit, setLimit] = useState(STEP);
  const links = useLinkList({ path, limit });
  const haveShares = !path.endsWith("/") && rights.may("file_share");
  const shares = useFileList({ path, limit }, haveShares);
  if (links.error || shares.error) {
    const again = () => void Promise.all([links.refetch(), haveShares && shares.refetch()]);
    return <FailedNotice text={t("link.own.failed")} onRetry={again} />;
  }
  const { links: leading = [], total: all = 0 } = links.data ?? {};
  const { files: shared = [], pagination } = shares.data ?? {};
  const waits = links.data === undefined || (haveShares && shares.data === undefined);
  return (
    <section aria-label={t("link.own.title")}>
      <h3 className="mb-1.5 font-semibold text-muted text-xs">{t("link.own.title")}</h3>
      {waits ? (
        <Skeleton className="h-11" />
      ) : leading.length + shared.length === 0 ? (
        <p className="text-[13px] text-muted">{t("link.own.none")}</p>
      ) : (
        <ul className="divide-y divide-line rounded-lg border border-line pl-3.5">
          {shared.map((share) => (
            <OwnShare key={share.id} share={share} />
          ))}
          {leading.map((link) => (
            <OwnLink key={link.id} link={link} />
          ))}
        </ul>
      )}
      {!waits && leading.length + shared.length > 0 && (
        <div className="mt-1 -ml-2 flex flex-wrap">
          {Math.max(all, pagination?.total ?? 0) > limit && limit < MOST && (
            <Button variant="plain" onClick={() => setLimit(Math.min(MOST, limit + STEP))}>
              {t("link.own.moreRows")}
            </Button>
          )}
          <ButtonLink to={all > 0 ? "/admin/link-management" : "/admin/file-management"} variant="plain">
            {t("link.own.manage")}
          </ButtonLink>
        </div>
      )}
    </section>
  );
}

function OwnLink({ link }: { readonly link: LinkRecord }) {
  useLanguage();
  const { mutateAsync: update, isPending } = useUpdateLink();
  const { id, slug, is_active } = link;
  const name = linkName(link);
  const switchTo = async (active: boolean): Promise<void> => {
    try {
      await update({ id, change: { is_active: active } });
      if (active) return;
      const action = { label: t("link.own.undo"), run: () => void switchTo(true) };
      await toast({ tone: "ok", text: t("link.own.revoked", { name }), action });
    } catch (error) {
      await toastFailure(error);
    }
  };
  const revoking = (
    <Button
      variant="plain"
      busy={isPending}
      aria-label={t(is_active ? "link.own.revoke" : "link.own.restore", { name })}
      className={is_active ? "text-danger" : ""}
      onClick={() => void switchTo(!is_active)}
    >
      {t(is_active ? "link.own.revokeShort" : "link.own.restoreShort")}
    </Button>
  );
  return <OwnRow {...{ name, slug, revoking }} address={linkPage(link)} facts={<LinkFacts link={link} />} />;
}
