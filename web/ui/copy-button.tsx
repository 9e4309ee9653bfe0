import Check from "lucide-react/icons/check";
import Copy from "lucide-react/icons/copy";
import type { ReactNode, RefObject } from "react";
import { useLanguage } from "../i18n/i18n.ts";
import { Button, type ButtonVariant, IconButton } from "./button.tsx";
import { useCopied } from "./use-copied.ts";

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
  const { copied, said, copy } = useCopied();
  const sign = copied ? <Check aria-hidden className="text-ok" /> : (icon ?? <Copy aria-hidden />);
  const announced = (
    <span role="status" className="sr-only">
      {said}
    </span>
  );
  if (iconOnly) {
    return (
      <>
        <IconButton ref={ref} label={said || label} onClick={() => copy(text)} className={className}>
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
        onClick={() => copy(text)}
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
