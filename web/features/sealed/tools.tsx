import ChevronRight from "lucide-react/icons/chevron-right";
import { fetchableAddress, sealedLink } from "../../api/share-addresses.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { useKey } from "../../page/fragment-key.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { lockOf, type OpenSealed } from "./source.ts";

interface ToolsProps {
  readonly slug: string;
  /** Before it is open it is not known how it is locked. */
  readonly share?: OpenSealed | undefined;
  /** What its content is called, once that is known. */
  readonly name?: string | undefined;
  readonly open?: boolean;
}

/** How to open it with nothing of ours: two lines for a terminal with curl and age. */
export function Tools({ slug, share, name = "opened", open = false }: ToolsProps) {
  useLanguage();
  const key = useKey(slug);
  const isLimited = share !== undefined && share.max_views > 0;
  // The address of a visit that has spent its view spends no other.
  const from = isLimited ? fetchableAddress(share.downloadUrl) : `${sealedLink(slug)}?raw`;
  // A stranger's name must not become that of a file which a shell or a program reads by itself, or of the one that is being read.
  const into = quoted(/^[.-]|^sealed\.age$/i.test(name) ? "opened" : name);
  const byPassword = share !== undefined && lockOf(share) === "password";
  const lines = [
    `curl -so sealed.age ${quoted(from)}`,
    byPassword
      ? `age -d -o ${into} sealed.age`
      : `printf %s ${quoted(key ?? "AGE-SECRET-KEY-1...")} | age -d -i - -o ${into} sealed.age`,
  ];
  return (
    <details open={open || undefined} className="group min-w-0 text-[13px] text-muted">
      <summary className="-ml-1 inline-flex min-h-9 cursor-pointer list-none items-center gap-1 rounded-lg px-1 hover:text-text pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-4 transition-transform group-open:rotate-90" />
        {t("sealed.tools.title")}
      </summary>
      <div className="mt-1 grid gap-2">
        <p className="max-w-[75ch]">{t("sealed.tools.text")}</p>
        {lines.map((line) => (
          <div key={line} className="flex min-w-0 items-start gap-1 rounded-lg bg-sunken py-1 pr-1 pl-3">
            <code className="wrap-anywhere min-w-0 flex-1 py-2 font-mono text-text text-xs leading-relaxed">
              {line}
            </code>
            <CopyButton iconOnly text={line} label={t("sealed.tools.copy")} />
          </div>
        ))}
        {share === undefined ? <p>{t("sealed.tools.spends")}</p> : null}
      </div>
    </details>
  );
}

/** One word for a shell, whatever is in it: names are of strangers. */
const quoted = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
