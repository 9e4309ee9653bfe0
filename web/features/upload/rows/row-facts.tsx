import { formatBytes } from "#contract/format-bytes";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { classes } from "../../../lib/classes.ts";
import type { UploadItem } from "../../../transfer/uploads.ts";
import { FactLine } from "../../../ui/share-gate/fact-line.tsx";
import { isWarning, problemText } from "../../../ui/upload-row/problems.ts";
import { progressTexts, sentOf } from "../../../ui/upload-row/progress-texts.ts";
import { begunText } from "../state/begun-text.ts";
import { linkOf } from "../state/item-link.ts";

interface RowFactsProps {
  readonly item: UploadItem;
}

/** How it stands with a file: what has arrived and how fast, or what has come of it. */
export function RowFacts({ item }: RowFactsProps) {
  const language = useLanguage();
  const size = formatBytes(item.file.size, language);
  if (item.state === "completed") return <Link item={item} size={size} />;
  if (item.state === "failed") return <Problem item={item} size={size} />;
  return (
    <>
      <FactLine>
        {item.state === "uploading" || item.sent > 0 ? sentOf(item, language) : size}
        {...progressTexts(item, language)}
      </FactLine>
      <Resumed item={item} />
      {item.relayed && item.state !== "aborted" && <p className="text-[13px] text-muted">{t("upload.row.relayed")}</p>}
    </>
  );
}

/** An upload that an earlier visit began says what it keeps of then. */
function Resumed({ item: { earlier, resumed, continues, state } }: RowFactsProps) {
  const language = useLanguage();
  if (earlier?.begun)
    return <FactLine>{t("upload.earlier.begun", { options: begunText(earlier.begun, language) })}</FactLine>;
  if (earlier) return <FactLine>{t("upload.earlier.idle")}</FactLine>;
  if (state === "aborted" || (resumed === 0 && !continues)) return null;
  return (
    <FactLine>
      {resumed > 0 ? t("upload.row.resumed", { size: formatBytes(resumed, language) }) : null}
      {continues ? t("upload.row.continues") : null}
    </FactLine>
  );
}

interface EndedProps extends RowFactsProps {
  readonly size: string;
}

function Link({ item, size }: EndedProps) {
  useLanguage();
  const { relayed } = item;
  const link = linkOf(item);
  return (
    <p className={classes("flex min-w-0 gap-x-1.5 text-[13px] text-muted", relayed && "max-sm:flex-wrap")}>
      <span className="shrink-0">{size}</span>
      <span aria-hidden>·</span>
      {relayed && (
        <>
          <span title={t("upload.row.relayed")}>{t("upload.row.cameRelayed")}</span>
          <span aria-hidden className="max-sm:hidden">
            ·
          </span>
        </>
      )}
      <a
        href={link}
        target="_blank"
        rel="noopener"
        title={link}
        className={classes(
          "min-w-0 truncate rounded font-mono text-accent hover:underline",
          relayed && "max-sm:basis-full",
        )}
      >
        {link.replace(/^https?:\/\//, "")}
      </a>
    </p>
  );
}

function Problem({ item, size }: EndedProps) {
  useLanguage();
  const { failure } = item;
  return (
    <p className="text-[13px] text-muted">
      {size} ·{" "}
      {failure && (
        <span className={isWarning(failure) ? "text-accent" : "text-danger"}>{problemText(failure, item)}</span>
      )}
    </p>
  );
}
