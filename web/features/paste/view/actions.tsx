import Code from "lucide-react/icons/code";
import Download from "lucide-react/icons/download";
import Pencil from "lucide-react/icons/pencil";
import { useState } from "react";
import { pasteLink, rawLink } from "../../../api/share-addresses.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { classes } from "../../../lib/classes.ts";
import { openText, saveText } from "../../../lib/save-file.ts";
import { Button, IconButton, IconLink } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { LinkQr } from "../../../ui/qr/link-qr.tsx";
import { Segmented } from "../segmented.tsx";
import type { OpenPaste } from "./opening.ts";

export type ShownAs = "markdown" | "text";

interface ActionsProps {
  readonly share: OpenPaste;
  /** Whether the person reading may change it. */
  readonly own: boolean;
  readonly shownAs: ShownAs;
  readonly onShowAs: (shownAs: ShownAs) => void;
  /** Too long for Markdown. */
  readonly long: boolean;
  readonly onEdit: () => void;
}

/** What can be done with an open text, in one row. */
export function Actions({ share, own, shownAs, onShowAs, long, onEdit }: ActionsProps) {
  useLanguage();
  const [qr, setQr] = useState(false);
  const ending = shownAs === "markdown" ? "md" : "txt";
  // A phone has no room in one row for the owner's button beside every icon.
  return (
    <div
      role="toolbar"
      aria-label={t("reading.view.actions")}
      className="flex flex-wrap items-center gap-1 max-sm:gap-0"
    >
      <CopyButton
        variant="primary"
        text={share.content}
        label={t("reading.view.copy")}
        short={t("reading.view.copyShort")}
        className={classes("mr-1 max-sm:px-3", own && "max-sm:[&_svg]:hidden")}
      />
      <RawButton share={share} />
      <IconButton label={t("reading.view.download")} onClick={() => saveText(`${share.slug}.${ending}`, share.content)}>
        <Download aria-hidden />
      </IconButton>
      {/* After its last view the link leads nowhere. */}
      {share.isLastView ? null : (
        <LinkQr link={pasteLink(share.slug)} name={share.slug} open={qr} onOpenChange={setQr} />
      )}
      {own ? (
        <Button
          variant="plain"
          icon={<Pencil aria-hidden />}
          title={t("reading.view.edit")}
          onClick={onEdit}
          className="max-sm:w-9 max-sm:px-0 max-sm:pointer-coarse:w-11"
        >
          <span className="max-sm:sr-only">{t("reading.view.edit")}</span>
        </Button>
      ) : null}
      <div className="ml-auto">
        <Segmented
          label={t("reading.view.shownAs")}
          value={shownAs}
          onChange={onShowAs}
          choices={[
            {
              value: "markdown",
              label: t("reading.view.asMarkdown"),
              title: t("reading.view.showMarkdown"),
              disabled: long,
            },
            { value: "text", label: t("reading.view.asText"), title: t("reading.view.showText") },
          ]}
        />
      </div>
    </div>
  );
}

/**
 * The text itself in a tab of its own: from the server when anybody may fetch it as often as they like, else from what is here
 * already, because a request would spend a view or ask for the password again.
 */
function RawButton({ share }: { share: OpenPaste }) {
  if (share.hasPassword || share.maxViews > 0) {
    return (
      <IconButton label={t("reading.view.raw")} onClick={() => openText(share.content)}>
        <Code aria-hidden />
      </IconButton>
    );
  }
  return (
    <IconLink label={t("reading.view.raw")} href={rawLink(share.slug)}>
      <Code aria-hidden />
    </IconLink>
  );
}
