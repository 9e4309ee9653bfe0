import Check from "lucide-react/icons/check";
import Copy from "lucide-react/icons/copy";
import { type ReactNode, type RefObject, useEffect, useState } from "react";
import { t, useLanguage } from "../i18n/i18n.ts";
import { copyText } from "../lib/clipboard.ts";
import { Button, type ButtonVariant, IconButton } from "./button.tsx";

const SHOWN = 1800;

/** Copies a text and says for a moment how that went. */
function useCopy(text: string) {
  const [outcome, setOutcome] = useState<"copied" | "failed">();
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(undefined), SHOWN);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => setOutcome((await copyText(text)) ? "copied" : "failed");
  return { outcome, copy };
}

interface CopyButtonProps {
  readonly text: string;
  /** "Copy link"; also the tooltip of the icon-only form. */
  readonly label: string;
  /** Instead of the label where a phone has no room for it. */
  readonly short?: string;
  readonly variant?: ButtonVariant;
  readonly iconOnly?: boolean;
  readonly icon?: ReactNode;
  readonly ref?: RefObject<HTMLButtonElement | null>;
  readonly className?: string;
}

/** A button that copies `text` and becomes "Copied" for a moment. */
export function CopyButton({ text, label, short, variant, iconOnly = false, icon, ref, className }: CopyButtonProps) {
  useLanguage();
  const { outcome, copy } = useCopy(text);
  const said =
    outcome === "copied" ? t("shell.actions.copied") : outcome === "failed" ? t("shell.actions.copyFailed") : "";
  const sign = outcome === "copied" ? <Check aria-hidden className="text-ok" /> : (icon ?? <Copy aria-hidden />);
  const announced = (
    <span role="status" className="sr-only">
      {said}
    </span>
  );
  if (iconOnly) {
    return (
      <>
        <IconButton ref={ref} label={said || label} onClick={copy} className={className}>
          {sign}
        </IconButton>
        {announced}
      </>
    );
  }
  return (
    <>
      <Button
        ref={ref}
        aria-label={short === undefined ? undefined : said || label}
        variant={variant}
        icon={variant === "primary" ? (icon ?? <Copy aria-hidden />) : sign}
        onClick={copy}
        className={className}
      >
        {short === undefined ? said || label : <Narrow wide={said || label} short={said || short} />}
      </Button>
      {announced}
    </>
  );
}

const Narrow = ({ wide, short }: { readonly wide: string; readonly short: string }) => (
  <>
    <span className="max-sm:hidden">{wide}</span>
    <span className="sm:hidden">{short}</span>
  </>
);
