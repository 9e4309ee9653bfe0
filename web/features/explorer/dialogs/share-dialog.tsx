import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { CallOutput } from "#contract/endpoint";
import { fs } from "#contract/fs/fs";
import { call } from "../../../api/call.ts";
import { failureText } from "../../../api/failure.ts";
import { fileKeys } from "../../../api/query-keys.ts";
import { refusalAt } from "../../../api/refusals.ts";
import { directFileLink, fileLink, linkPage } from "../../../api/share-addresses.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { copyText } from "../../../lib/clipboard.ts";
import { useOneAtATime } from "../../../lib/one-at-a-time.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Dialog } from "../../../ui/overlay/dialog.tsx";
import { LinkQr } from "../../../ui/qr/link-qr.tsx";
import { expiresAt, optionProblem, type ShareOptions, startOptions } from "../../../ui/share-options/options.ts";
import { ShareChips } from "../../../ui/share-options/share-chips.tsx";
import { viewLimit } from "../../../ui/share-options/share-problems.ts";
import { SystemShare } from "../../../ui/share-result/system-share.tsx";
import { OwnLinks } from "../details/own-links.tsx";
import type { Entry } from "../model/entry.ts";
import { orRenew } from "../model/listing.ts";

type Shared = CallOutput<typeof fs.createShare>["data"];

interface ShareDialogProps {
  readonly entry: Entry;
  /** Asks for a link with a page of its own instead; undefined for who can make none. */
  readonly onLink: (() => void) | undefined;
  readonly onClose: () => void;
}

/** Makes a share of a file where it lies: with a press, or with options. The link is copied at once. */
export function ShareDialog({ entry, onLink, onClose }: ShareDialogProps) {
  useLanguage();
  const queries = useQueryClient();
  const [options, setOptions] = useState<ShareOptions>(startOptions);
  const [open, setOpen] = useState<keyof ShareOptions>();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<unknown>();
  const [made, setMade] = useState<{ share: Shared; copied: boolean }>();
  const oneAtATime = useOneAtATime();
  const refusal = refusalAt(refused, ["slug", "expiry"]);
  const problem = refusal ? { field: refusal.field, words: refusal.words } : optionProblem(options, Date.now());

  const create = () =>
    oneAtATime(async () => {
      const wrong = optionProblem(options, Date.now());
      if (wrong) return setOpen(wrong.field);
      setBusy(true);
      setRefused(undefined);
      try {
        const body = { path: entry.path, ...bodyOf(options) };
        const share = (await orRenew(queries, entry.path, call(fs.createShare, { body }))).data;
        void queries.invalidateQueries({ queryKey: fileKeys.lists });
        setMade({ share, copied: await copyText(pageOf(share)) });
      } catch (error) {
        setRefused(error);
        const at = refusalAt(error, ["slug", "expiry"]);
        if (at) setOpen(at.field);
      } finally {
        setBusy(false);
      }
    });

  const footer = made ? (
    <Button variant="primary" onClick={onClose} data-autofocus>
      {t("explorer.share.done")}
    </Button>
  ) : (
    <>
      <Button onClick={onClose}>{t("shell.actions.cancel")}</Button>
      <Button variant="primary" busy={busy} onClick={create} data-autofocus>
        {t("explorer.share.create")}
      </Button>
    </>
  );
  return (
    <Dialog title={t("explorer.share.title", { name: shownName(entry.name) })} onClose={onClose} footer={footer}>
      {made ? (
        <Made {...made} />
      ) : (
        <>
          <p className="mb-3 text-muted">{t("explorer.share.text")}</p>
          <div className="py-1 max-sm:[&>fieldset]:w-auto max-sm:[&>fieldset]:flex-wrap">
            <ShareChips
              options={options}
              onChange={(next) => {
                setOptions(next);
                setRefused(undefined);
              }}
              problem={problem}
              open={open}
              onOpen={setOpen}
              folder="/file/"
            />
          </div>
          {refused !== undefined && !refusal && (
            <Notice tone="error" className="mt-3">
              {failureText(refused)}
            </Notice>
          )}
          {onLink && (
            <div className="mt-4 grid gap-3 border-line border-t pt-4">
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <p className="min-w-48 flex-1 text-[13px] text-muted">{t("link.share.text")}</p>
                <Button onClick={onLink}>{t("link.share.asLink")}</Button>
              </div>
              <OwnLinks path={entry.path} />
            </div>
          )}
        </>
      )}
    </Dialog>
  );
}

function Made({ share, copied }: { readonly share: Shared; readonly copied: boolean }) {
  useLanguage();
  const [qr, setQr] = useState(false);
  const link = pageOf(share);
  return (
    <div className="grid gap-3">
      <p role="status" className="font-medium text-ok">
        {copied ? t("explorer.share.copied") : t("explorer.share.made")}
      </p>
      <a
        href={link}
        target="_blank"
        rel="noopener"
        className="truncate rounded-lg bg-sunken px-3 py-2 font-mono text-accent text-sm hover:underline"
      >
        {link}
      </a>
      <div className="flex flex-wrap items-center gap-2">
        <CopyButton text={link} label={t("file.view.copyLink")} />
        {share.kind === "file" && (
          <CopyButton text={directFileLink(share.slug, share.grant)} label={t("file.view.copyDirect")} />
        )}
        <SystemShare link={link} />
        <LinkQr link={link} name={share.slug} open={qr} onOpenChange={setQr} />
      </div>
    </div>
  );
}

/** The address of its page: where a folder has come in place of the file meanwhile, a link was made. */
const pageOf = ({ kind, slug }: Shared): string =>
  kind === "link" ? linkPage({ slug, rights: ["view"] }) : fileLink(slug);

/** What the server is told of the options; what was left empty is not sent. */
function bodyOf({ slug, password, remark, expiry, maxViews }: ShareOptions) {
  const views = viewLimit(maxViews) ?? 0;
  return {
    ...(slug ? { slug } : {}),
    ...(password ? { password } : {}),
    ...(remark.trim() ? { remark: remark.trim() } : {}),
    ...(views > 0 ? { max_views: views } : {}),
    ...(expiry.kind === "never" ? {} : { expires_at: expiresAt(expiry, Date.now()) }),
  };
}
