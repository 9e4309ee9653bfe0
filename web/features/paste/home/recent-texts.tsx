import X from "lucide-react/icons/x";
import { personOf } from "../../../api/session/credential.ts";
import { useSession } from "../../../api/session/session.ts";
import { pasteLink } from "../../../api/share-addresses.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useStore } from "../../../lib/store.ts";
import { type RecentText, recentTexts } from "../../../page/recent-texts.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { MARK, TimedText } from "../../../ui/share-gate/facts.tsx";

interface RecentTextsProps {
  /** The text whose link is in sight already. */
  readonly shown: string | undefined;
  /** What was focused has gone. */
  readonly onGone: () => void;
}

/** The links of the texts that this browser has shared last, in the room that an empty editor has to spare. */
export function RecentTexts({ shown, onGone }: RecentTextsProps) {
  useLanguage();
  const own = personOf(useSession()) ?? "";
  const list = useStore(recentTexts.list).filter(({ slug, person }) => slug !== shown && person === own);
  if (list.length === 0) return null;
  return (
    <section aria-label={t("paste.recent.title")} className="flex max-h-[45%] shrink-0 flex-col border-line border-t">
      <div className="flex min-h-11 items-center gap-2 px-4 sm:px-8">
        <h2 className="shrink-0 font-medium text-[13px]">{t("paste.recent.title")}</h2>
        <p className="min-w-0 truncate text-[13px] text-muted max-sm:invisible">{t("paste.recent.where")}</p>
        <Button
          variant="plain"
          className="-mr-3 ml-auto shrink-0"
          onClick={() => {
            recentTexts.forget();
            onGone();
          }}
        >
          {t("paste.recent.clear")}
        </Button>
      </div>
      <ul className="overflow-y-auto pb-2">
        {list.map((text) => (
          <Row key={text.slug} text={text} onGone={onGone} />
        ))}
      </ul>
    </section>
  );
}

interface RowProps extends Pick<RecentTextsProps, "onGone"> {
  readonly text: RecentText;
}

function Row({ text: { slug, title, createdAt }, onGone }: RowProps) {
  useLanguage();
  const name = title || slug;
  return (
    <li className="flex items-center gap-2 px-4 sm:px-8">
      <a
        href={pasteLink(slug)}
        target="_blank"
        rel="noopener"
        className="min-w-6 truncate py-0.5 hover:text-accent hover:underline pointer-coarse:py-3"
      >
        <bdi>{name}</bdi>
      </a>
      <span className="ml-auto shrink-0 text-[13px] text-muted">
        <TimedText text={MARK} at={new Date(createdAt).toISOString()} />
      </span>
      <span className="-mr-2 flex shrink-0">
        <CopyButton iconOnly text={pasteLink(slug)} label={t("paste.recent.copy", { name })} />
        <IconButton
          label={t("paste.recent.remove", { name })}
          onClick={() => {
            recentTexts.remove(slug);
            onGone();
          }}
        >
          <X aria-hidden />
        </IconButton>
      </span>
    </li>
  );
}
