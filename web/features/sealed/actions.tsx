import { useQuery } from "@tanstack/react-query";
import Download from "lucide-react/icons/download";
import Link2 from "lucide-react/icons/link-2";
import { useState } from "react";
import type { Previewed } from "#contract/shown-as";
import { MAX_SHOWN_TEXT } from "#contract/viewer-limits";
import { sealedLink } from "../../api/share-addresses.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { useKey } from "../../page/fragment-key.ts";
import { readBytes } from "../../preview/file/read-bytes.ts";
import type { Served } from "../../preview/sealed/use-address.ts";
import type { SealedNames } from "../../sealed/names.ts";
import { Button, buttonClasses } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { LinkQr } from "../../ui/qr/link-qr.tsx";
import type { OpenSealed } from "./source.ts";

interface ActionsProps {
  readonly slug: string;
  readonly share: OpenSealed;
  readonly served: Served;
  readonly file: Previewed;
  readonly kind: SealedNames["kind"];
}

/** What can be done with what is open: one big button, the rest small. */
export function Actions({ slug, share, served, file, kind }: ActionsProps) {
  useLanguage();
  const isText = kind === "text" && file.size <= MAX_SHOWN_TEXT;
  return (
    <div
      role="toolbar"
      aria-label={t("file.view.actions")}
      className="flex shrink-0 items-center gap-2 max-sm:flex-col sm:flex-row-reverse"
    >
      {isText ? <CopyText served={served} /> : <DownloadLink served={served} isPrimary />}
      <div className="flex items-center gap-0.5">
        {isText ? <DownloadLink served={served} isPrimary={false} /> : null}
        {share.is_last_view ? null : <Links slug={slug} />}
      </div>
    </div>
  );
}

const large = "h-11 px-6 text-base max-sm:w-full";

/** Copies all of a text, which is here in a moment. */
function CopyText({ served }: Pick<ActionsProps, "served">) {
  useLanguage();
  const address = served.state === "ready" ? served.read : undefined;
  const { data } = useQuery({
    queryKey: ["sealed", "text", address],
    queryFn: async ({ signal }) =>
      new TextDecoder().decode(await readBytes({ url: address ?? "", signal, most: MAX_SHOWN_TEXT })),
    enabled: address !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  if (data === undefined)
    return (
      <Button variant="primary" disabled className={large}>
        {t("sealed.copyText")}
      </Button>
    );
  return <CopyButton variant="primary" text={data} label={t("sealed.copyText")} className={large} />;
}

interface DownloadLinkProps extends Pick<ActionsProps, "served"> {
  readonly isPrimary: boolean;
}

/** The browser takes it from the worker piece by piece, however large it is: without `download`, for which some do not ask a worker. */
function DownloadLink({ served, isPrimary }: DownloadLinkProps) {
  useLanguage();
  const label = t("file.view.download");
  const looks = isPrimary
    ? buttonClasses("primary", large)
    : buttonClasses("plain", "w-9 px-0 pointer-coarse:w-11 pointer-coarse:px-0");
  const said = isPrimary ? label : null;
  if (served.state !== "ready") {
    if (served.state !== "preparing") return null;
    return (
      <button type="button" disabled aria-label={label} className={looks}>
        <Download aria-hidden />
        {said}
      </button>
    );
  }
  return (
    <a
      href={served.download}
      download={served.saveAs}
      aria-label={label}
      title={said ? undefined : label}
      className={looks}
    >
      <Download aria-hidden />
      {said}
    </a>
  );
}

/** Ways to hand it on, key and all; after its last view they would lead nowhere. */
function Links({ slug }: Pick<ActionsProps, "slug">) {
  useLanguage();
  const [qr, setQr] = useState(false);
  const link = sealedLink(slug, useKey(slug));
  return (
    <>
      <CopyButton iconOnly icon={<Link2 aria-hidden />} text={link} label={t("file.view.copyLink")} />
      <LinkQr label={t("file.view.qr")} link={link} name={slug} open={qr} onOpenChange={setQr} />
    </>
  );
}
