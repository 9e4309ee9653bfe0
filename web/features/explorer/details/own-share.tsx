import { useState } from "react";
import type { FileRecord } from "#contract/files";
import { useDeleteFiles } from "../../../api/files.ts";
import { sharePage } from "../../../api/share-addresses.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { LinkState, opensText } from "../../../ui/link-form/facts.tsx";
import { ConfirmDialog } from "../../../ui/overlay/dialog.tsx";
import { FactLine } from "../../../ui/share-gate/fact-line.tsx";
import { OwnRow } from "./own-row.tsx";

/** A share of the file, whose page shows nothing but it: to copy, to show to a phone and to revoke, which is for good. */
export function OwnShare({ share }: { readonly share: FileRecord }) {
  useLanguage();
  const [asks, setAsks] = useState(false);
  const { mutateAsync: remove } = useDeleteFiles();
  const { id, slug, remark, views: opens, max_views: max_opens } = share;
  const name = remark || `${share.sealed ? "/s" : "/file"}/${slug}`;
  const revoke = async () => {
    const [kept] = (await remove({ ids: [id], keepFiles: true })).failed;
    if (kept) throw new Error(kept.error);
  };
  const facts = (
    <FactLine>
      <LinkState link={{ state: stateOf(share), closed_for: null }} />
      {opensText({ opens, max_opens })}
      {share.sealed ? t("file.sealed.opens") : null}
    </FactLine>
  );
  const revoking = (
    <>
      <Button
        variant="plain"
        aria-label={t("link.own.revoke", { name })}
        className="text-danger"
        onClick={() => setAsks(true)}
      >
        {t("link.own.revokeShort")}
      </Button>
      {asks && (
        <ConfirmDialog
          danger
          title={t("link.own.revokeTitle")}
          text={t("link.own.revokeText", { name })}
          confirm={t("link.own.revokeShort")}
          onConfirm={revoke}
          onClose={() => setAsks(false)}
        />
      )}
    </>
  );
  return <OwnRow {...{ name, slug, facts, revoking }} address={sharePage(share)} />;
}

function stateOf({ expires_at, views, max_views }: FileRecord): "active" | "expired" | "spent" {
  if (expires_at !== null && Date.parse(expires_at) <= Date.now()) return "expired";
  return max_views > 0 && views >= max_views ? "spent" : "active";
}
