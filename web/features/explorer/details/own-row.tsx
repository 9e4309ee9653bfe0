import { type ReactNode, useState } from "react";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { LinkQr } from "../../../ui/qr/link-qr.tsx";

interface OwnRowProps {
  readonly name: string;
  readonly address: string;
  readonly slug: string;
  /** What is said of it in one line. */
  readonly facts: ReactNode;
  /** What revokes it, or brings it back. */
  readonly revoking: ReactNode;
}

/** Something by which others get at a file or folder: to copy, to show to a phone and to revoke. */
export function OwnRow({ name, address, slug, facts, revoking }: OwnRowProps) {
  useLanguage();
  const [qr, setQr] = useState(false);
  return (
    <li className="flex flex-wrap items-center gap-x-1 py-1">
      <div className="min-w-40 flex-1 py-1">
        <p className="truncate font-medium">
          <bdi>{name}</bdi>
        </p>
        {facts}
      </div>
      <div className="ml-auto flex items-center">
        <CopyButton iconOnly text={address} label={t("link.own.copy", { name })} />
        <LinkQr label={t("link.own.qr", { name })} link={address} name={slug} open={qr} onOpenChange={setQr} />
        {revoking}
      </div>
    </li>
  );
}
