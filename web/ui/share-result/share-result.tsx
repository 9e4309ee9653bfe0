import Code from "lucide-react/icons/code";
import ExternalLink from "lucide-react/icons/external-link";
import X from "lucide-react/icons/x";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { IconButton, IconLink } from "../button.tsx";
import { CopyButton } from "../copy-button.tsx";
import { LinkQr } from "../qr/link-qr.tsx";
import { SystemShare } from "./system-share.tsx";

/** The address of the bare content, for scripts. */
interface DirectLink {
  readonly link: string;
  /** What copying it is called. */
  readonly label: string;
}

interface ShareResultProps {
  readonly link: string;
  /** Undefined where the bare content is of no use. */
  readonly direct: DirectLink | undefined;
  /** What should be known before the links are handed on. */
  readonly note?: string | undefined;
  /** The link is on the clipboard already. */
  readonly copied: boolean;
  /** Name of the QR picture, without ending. */
  readonly name: string;
  /** One line: what comes next has its place below. */
  readonly brief?: boolean | undefined;
  /** What putting it away means: "Keep writing". */
  readonly closing: string;
  /** The person has closed it; told whether the focus was in here and falls nowhere. */
  readonly onEnd: (focused: boolean) => void;
}

/** A freshly made link with all that one does with it; it stays until somebody puts it away. */
export function ShareResult({ link, direct, note, copied, name, brief = false, closing, onEnd }: ShareResultProps) {
  useLanguage();
  const box = useRef<HTMLElement>(null);
  const copy = useRef<HTMLButtonElement>(null);
  const within = () => box.current?.contains(document.activeElement) ?? false;

  // Where the button that made the link had the focus, it goes to what came in its place; who still writes keeps it.
  useEffect(() => {
    if (document.activeElement !== document.body) return;
    (copied ? box.current : copy.current)?.focus({ preventScroll: true });
  }, [copied]);

  const said = copied ? t("paste.result.copied") : t("paste.result.ready");
  const close = (
    <IconButton label={closing} onClick={() => onEnd(within())} className="-my-2 -mr-2">
      <X aria-hidden />
    </IconButton>
  );
  const shown = { link, said, copy, close };
  return (
    <section ref={box} tabIndex={-1} aria-label={t("paste.result.label")} className="outline-none">
      {brief ? <BriefResult {...shown} /> : <WholeResult {...shown} {...{ direct, note, name }} />}
    </section>
  );
}

interface ShownProps extends Pick<ShareResultProps, "link"> {
  /** That the link is there, or on the clipboard already. */
  readonly said: string;
  readonly copy: RefObject<HTMLButtonElement | null>;
  readonly close: ReactNode;
}

function BriefResult({ link, said, copy, close }: ShownProps) {
  useLanguage();
  return (
    <div className="mb-3 flex items-center gap-3">
      <p role="status" className="font-medium text-ok text-sm max-sm:sr-only">
        {said}
      </p>
      <a
        href={link}
        target="_blank"
        rel="noopener"
        className="min-w-0 flex-1 truncate font-mono text-accent text-sm hover:underline pointer-coarse:py-3"
      >
        {link}
      </a>
      <CopyButton iconOnly ref={copy} text={link} label={t("paste.result.copy")} className="-my-2" />
      <SystemShare link={link} />
      {close}
    </div>
  );
}

function WholeResult({
  link,
  said,
  copy,
  close,
  direct,
  note,
  name,
}: ShownProps & Pick<ShareResultProps, "direct" | "note" | "name">) {
  useLanguage();
  const [qr, setQr] = useState(false);
  return (
    <>
      <div className="mb-2 flex items-center gap-3">
        <p role="status" className="font-medium text-ok text-sm">
          {said}
        </p>
        <span className="ml-auto">{close}</span>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <a
          href={link}
          target="_blank"
          rel="noopener"
          className="min-w-0 flex-1 basis-full truncate rounded-lg bg-sunken px-3 py-2 font-mono text-accent text-sm hover:underline sm:basis-60"
        >
          {link}
        </a>
        <CopyButton ref={copy} variant="primary" text={link} label={t("paste.result.copy")} className="max-sm:flex-1" />
        <div className="flex items-center gap-0.5">
          <SystemShare link={link} />
          <LinkQr link={link} name={name} open={qr} onOpenChange={setQr} />
          {direct && <CopyButton iconOnly text={direct.link} label={direct.label} icon={<Code aria-hidden />} />}
          <IconLink label={t("paste.result.open")} href={link}>
            <ExternalLink aria-hidden />
          </IconLink>
        </div>
      </div>
      {note ? <p className="mt-2 text-muted text-xs">{note}</p> : null}
    </>
  );
}
