import { t, useLanguage } from "../../i18n/i18n.ts";
import { ComparedLetters } from "./compared-letters.tsx";
import { SealedCommand, type SealedCommandProps } from "./sealed-command.tsx";
import { useLetters } from "./use-letters.ts";

/** What of a link that seals is told to senders, and compared with them. */
export function SealedFacts(props: SealedCommandProps) {
  useLanguage();
  const letters = useLetters(props.recipient);
  return (
    <div className="grid gap-2">
      <p className="font-medium text-sm">{t("link.sealed.ready")}</p>
      {letters.length > 0 && <ComparedLetters letters={letters} />}
      <SealedCommand {...props} />
    </div>
  );
}
