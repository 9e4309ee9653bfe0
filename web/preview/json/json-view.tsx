import { useState } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { Notice } from "../../ui/notice.tsx";
import { ReadingSkeleton } from "../file/reading-skeleton.tsx";
import { type TextSource, useWorkerSession } from "../file/use-worker-session.ts";
import { UnreadFile } from "../file/worker-result.tsx";
import type { JsonStretch, OpenedJson } from "./json.ts";
import workerAddress from "./json.worker.ts?worker";
import type { JsonValue } from "./json-index.ts";
import { JsonNode } from "./json-node.tsx";

/** What is unfolded at once: so many bytes, and lists in lists so deep, a page lays out at once. */
const SMALL_BYTES = 20_000;
const SMALL_DEPTH = 50;

/** JSON as a tree that folds. What is no JSON is said, with the place; the source is a press away. */
export function JsonView({ bytes, encoding }: TextSource) {
  useLanguage();
  const { state, ask } = useWorkerSession<OpenedJson, JsonStretch, readonly JsonValue[], null>(workerAddress, {
    bytes,
    encoding,
  });
  const [all, setAll] = useState(false);
  if (state.is === "failed") return <UnreadFile code={state.code} />;
  if (state.is === "reading") return <ReadingSkeleton />;
  const { opened } = state;
  if ("problem" in opened) {
    return (
      <div className="p-4">
        <Notice tone="plain">{t("viewer.json.broken", { ...opened.problem })}</Notice>
      </div>
    );
  }
  const isSmall = bytes.length < SMALL_BYTES && opened.depth < SMALL_DEPTH;
  return (
    <div className="overflow-x-auto p-3 font-mono text-[13px] sm:p-4">
      {isSmall ? (
        <button
          type="button"
          className="mb-2 rounded-lg px-2 py-1 font-sans text-muted hover:bg-sunken hover:text-text pointer-coarse:min-h-11"
          onClick={() => setAll(!all)}
        >
          {t(all ? "viewer.json.foldAll" : "viewer.json.unfoldAll")}
        </button>
      ) : null}
      <ul key={String(all)} aria-label={t("file.view.content")}>
        <JsonNode value={opened.root} ask={ask} depth={0} opens={all ? Number.POSITIVE_INFINITY : 2} />
      </ul>
    </div>
  );
}
