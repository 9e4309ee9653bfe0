import Download from "lucide-react/icons/download";
import type { ReadyText } from "#contract/connect";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { saveText } from "../../lib/save-file.ts";
import { IconButton } from "../button.tsx";
import { CopyButton } from "../copy-button.tsx";

interface ReadyBoxProps {
  readonly ready: ReadyText;
  /** The program. */
  readonly name: string;
}

/** What a program is told, to copy, and to save where it reads a file. */
export function ReadyBox({ ready: { does, via, text, file }, name }: ReadyBoxProps) {
  useLanguage();
  const doing = t(`connect.does.${does}`);
  return (
    <section aria-label={via ? `${doing}, ${via}` : doing}>
      <div className="flex items-center gap-1">
        <h3 className="wrap-anywhere flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2 text-[13px]">
          <span className="font-semibold">{doing}</span>
          <span className="font-mono text-[12px] text-muted">{file ?? via}</span>
        </h3>
        {file && (
          <IconButton label={t("connect.save", { file })} onClick={() => saveText(file, text)}>
            <Download aria-hidden />
          </IconButton>
        )}
        <CopyButton iconOnly text={text} label={t("connect.copy", { does: doing, name })} />
      </div>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
        tabIndex={0}
        className="wrap-anywhere max-h-64 overflow-y-auto whitespace-pre-wrap rounded-lg border border-line bg-sunken p-3 font-mono text-[12px] leading-relaxed"
      >
        {text.trimEnd()}
      </pre>
    </section>
  );
}
