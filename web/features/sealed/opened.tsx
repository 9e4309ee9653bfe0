import Lock from "lucide-react/icons/lock";
import { useEffect, useRef } from "react";
import type { Previewed } from "#contract/shown-as";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { useOwnTitle } from "../../page/page-title.ts";
import { SealedContent } from "../../preview/sealed/content.tsx";
import { previewedOf, type Unlocked } from "../../preview/sealed/unlocked.ts";
import { useAddress } from "../../preview/sealed/use-address.ts";
import { Notice } from "../../ui/notice.tsx";
import type { ContentChange } from "../../ui/share-gate/content-focus.ts";
import { FileFacts } from "../../ui/share-gate/file-facts.tsx";
import { FileFrame } from "../../ui/share-gate/file-frame.tsx";
import { FileTitle } from "../../ui/share-gate/file-title.tsx";
import { Actions } from "./actions.tsx";
import { lockOf, type OpenSealed } from "./source.ts";
import { Tools } from "./tools.tsx";

interface OpenedProps {
  readonly slug: string;
  readonly share: OpenSealed;
  readonly unlocked: Unlocked;
  readonly change: ContentChange;
}

/** A sealed share that is open: what can be shown of it is, by the viewers of every file, which read what this browser has opened. */
export function Opened({ slug, share, unlocked, change }: OpenedProps) {
  useLanguage();
  // The history of a browser keeps titles: the name of the file stays out of it.
  useOwnTitle(t("sealed.title"));
  const { served, broken } = useAddress(unlocked);
  const file = previewedOf(unlocked);
  const article = useRef<HTMLElement>(null);
  useEffect(() => (article.current ? leadElsewhere(article.current) : undefined), []);
  return (
    <FileFrame
      ref={article}
      heading={<Heading {...{ share, file, change }} />}
      actions={<Actions {...{ slug, share, served, file, kind: unlocked.names.kind }} />}
    >
      {share.is_last_view ? <Notice tone="plain">{t("share.gate.lastView")}</Notice> : null}
      <SealedContent {...{ file, served, broken }} isScarce={share.max_views > 0} />
      <Tools {...{ slug, share }} name={file.filename} open={served.state === "tooLarge"} />
    </FileFrame>
  );
}

/** Pictures and players of other sites, which Markdown offers to load, open in a tab of their own: this page loads nothing from elsewhere. */
function leadElsewhere(place: HTMLElement): () => void {
  const open = (event: MouseEvent) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-src]") : null;
    if (!button) return;
    event.preventDefault();
    event.stopPropagation();
    window.open(button.dataset.src, "_blank", "noopener,noreferrer");
  };
  place.addEventListener("click", open, true);
  return () => place.removeEventListener("click", open, true);
}

interface HeadingProps extends Pick<OpenedProps, "share" | "change"> {
  readonly file: Previewed;
}

function Heading({ share, file, change }: HeadingProps) {
  useLanguage();
  return (
    <>
      <FileTitle filename={file.filename} change={change} />
      <FileFacts {...{ file, share }} />
      <p className="flex items-start gap-1.5 text-[13px] text-muted">
        <Lock aria-hidden className="mt-[3px] size-3.5 shrink-0 text-ok" />
        {lockOf(share) === "password" ? t("sealed.mark.password") : t("sealed.mark.link")}
      </p>
    </>
  );
}
