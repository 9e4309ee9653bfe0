import { useMemo, useState } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { Notice } from "../../ui/notice.tsx";
import { JsonNode } from "./json-node.tsx";
import { readJson } from "./read-json.ts";

/** JSON as a tree that folds. What is no JSON is said, with the parser's reason; the source is a press away. */
export function JsonView({ text }: { readonly text: string }) {
  useLanguage();
  const read = useMemo(() => readJson(text), [text]);
  const [all, setAll] = useState(false);
  if ("problem" in read) {
    return (
      <div className="p-4">
        <Notice tone="plain">{t("viewer.json.broken", { reason: read.problem })}</Notice>
      </div>
    );
  }
  const small = text.length < 20_000;
  return (
    <div className="overflow-x-auto p-3 font-mono text-[13px] sm:p-4">
      {small ? (
        <button
          type="button"
          className="mb-2 rounded-lg px-2 py-1 font-sans text-muted hover:bg-sunken hover:text-text pointer-coarse:min-h-11"
          onClick={() => setAll(!all)}
        >
          {t(all ? "viewer.json.foldAll" : "viewer.json.unfoldAll")}
        </button>
      ) : null}
      <ul key={String(all)} aria-label={t("file.view.content")}>
        <JsonNode value={read.value} numberOf={read.numberOf} depth={0} opens={all ? Number.POSITIVE_INFINITY : 2} />
      </ul>
    </div>
  );
}
