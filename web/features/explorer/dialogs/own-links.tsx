import { useState } from "react";
import type { LinkRecord } from "#contract/links";
import { failureText } from "../../../api/failure.ts";
import { useLinkList, useUpdateLink } from "../../../api/link-records.ts";
import { linkPage } from "../../../api/links.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button, ButtonLink } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { LinkFacts, linkName } from "../../../ui/link-form/facts.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { LinkQr } from "../../../ui/share-result/link-qr.tsx";
import { Skeleton } from "../../../ui/surface.tsx";
import { toast } from "../../../ui/toast.ts";

/** Links that are shown at once, and how many more a press shows. */
const STEP = 10;
/** As many as the server tells in one answer. */
const MOST = 100;

/** The caller's own links that lead to a file or folder, each to copy, to show to a phone and to revoke. */
export function OwnLinks({ path }: { readonly path: string }) {
  useLanguage();
  const [limit, setLimit] = useState(STEP);
  const { data, error, refetch } = useLinkList({ path, limit });
  if (error)
    return (
      <Notice tone="error" action={<Button onClick={() => refetch()}>{t("shell.actions.retry")}</Button>}>
        {t("link.own.failed")}
      </Notice>
    );
  return (
    <section aria-label={t("link.own.title")}>
      <h3 className="mb-1.5 font-semibold text-muted text-xs">{t("link.own.title")}</h3>
      {data === undefined ? (
        <Skeleton className="h-11" />
      ) : data.links.length === 0 ? (
        <p className="text-[13px] text-muted">{t("link.own.none")}</p>
      ) : (
        <ul className="divide-y divide-line rounded-lg border border-line pl-3.5">
          {data.links.map((link) => (
            <OwnLink key={link.id} link={link} />
          ))}
        </ul>
      )}
      {data && data.total > 0 && (
        <div className="mt-1 -ml-2 flex flex-wrap">
          {data.total > limit && limit < MOST && (
            <Button variant="plain" onClick={() => setLimit(Math.min(MOST, limit + STEP))}>
              {t("link.own.moreRows")}
            </Button>
          )}
          <ButtonLink to="/admin/link-management" variant="plain">
            {t("link.own.manage")}
          </ButtonLink>
        </div>
      )}
    </section>
  );
}

function OwnLink({ link }: { readonly link: LinkRecord }) {
  useLanguage();
  const [qr, setQr] = useState(false);
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
      await toast({ tone: "error", text: failureText(error) });
    }
  };
  return (
    <li className="flex flex-wrap items-center gap-x-1 py-1">
      <div className="min-w-40 flex-1 py-1">
        <p className="truncate font-medium">
          <bdi>{name}</bdi>
        </p>
        <LinkFacts link={link} />
      </div>
      <div className="ml-auto flex items-center">
        <CopyButton iconOnly text={linkPage(link)} label={t("link.own.copy", { name })} />
        <LinkQr label={t("link.own.qr", { name })} link={linkPage(link)} name={slug} open={qr} onOpenChange={setQr} />
        <Button
          variant="plain"
          busy={isPending}
          aria-label={t(is_active ? "link.own.revoke" : "link.own.restore", { name })}
          className={is_active ? "text-danger" : ""}
          onClick={() => void switchTo(!is_active)}
        >
          {t(is_active ? "link.own.revokeShort" : "link.own.restoreShort")}
        </Button>
      </div>
    </li>
  );
}
