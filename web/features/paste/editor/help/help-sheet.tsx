import { type MouseEvent, useState } from "react";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { MarkdownView } from "../../../../preview/markdown/markdown-view.tsx";
import { Sheet } from "../../../../ui/overlay/dialog.tsx";
import { Segmented } from "../../segmented.tsx";
import { shortcuts } from "./shortcuts.ts";

/** What a text can have in it, in the order in which somebody learns it. */
const topics = [
  "headings",
  "words",
  "lists",
  "tasks",
  "links",
  "pictures",
  "quotes",
  "tables",
  "code",
  "formulas",
  "diagrams",
  "footnotes",
  "contents",
  "emoji",
] as const;
/** Those of which the example alone is shown: the library that draws diagrams is larger than the editor, and a sign stands already. */
const unshown: ReadonlySet<(typeof topics)[number]> = new Set(["diagrams", "emoji"]);

/** How Markdown is written, by example, and what keys do. */
export function HelpSheet({ onClose }: { readonly onClose: () => void }) {
  useLanguage();
  const [page, setPage] = useState<"syntax" | "keys">("syntax");
  return (
    <Sheet title={t("help.title")} onClose={onClose}>
      <div className="mb-4">
        <Segmented
          label={t("help.title")}
          value={page}
          onChange={setPage}
          choices={[
            { value: "syntax", label: t("help.syntax") },
            { value: "keys", label: t("help.keys") },
          ]}
        />
      </div>
      {page === "syntax" ? topics.map((topic) => <Example key={topic} topic={topic} />) : <Keys />}
    </Sheet>
  );
}

function Example({ topic }: { readonly topic: (typeof topics)[number] }) {
  useLanguage();
  const source = t(`help.example.${topic}`);
  return (
    <section aria-label={t(`help.topic.${topic}`)} className="mb-6" onClickCapture={stayHere}>
      <h3 className="mb-2 font-medium text-[13px] text-muted">{t(`help.topic.${topic}`)}</h3>
      <pre className="overflow-x-auto whitespace-pre-wrap rounded-lg bg-sunken px-3 py-2 font-mono text-[13px] leading-6">
        {source}
      </pre>
      {unshown.has(topic) ? null : (
        <div className="mt-2 border-line border-l-2 pl-3 [&_.markdown]:text-[15px]">
          <MarkdownView text={source} />
        </div>
      )}
    </section>
  );
}

/** Links within an example lead to its own headings and notes, not to those of the text behind this sheet. */
function stayHere(event: MouseEvent<HTMLElement>): void {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href^="#"]') : null;
  if (!link) return;
  event.preventDefault();
  const place = event.currentTarget.querySelector(`[id="${CSS.escape(link.hash.slice(1))}"]`);
  place?.scrollIntoView({ block: "nearest" });
}

function Keys() {
  useLanguage();
  return (
    <>
      <dl>
        {shortcuts().map(({ label, keys }) => (
          <div
            key={label}
            className="flex min-h-10 items-center justify-between gap-4 border-line border-b last:border-b-0"
          >
            <dt>{label}</dt>
            <dd>
              <kbd className="rounded-md border border-line bg-sunken px-1.5 py-0.5 font-sans text-[13px]">{keys}</kbd>
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 text-[13px] text-muted">{t("help.leave")}</p>
    </>
  );
}
