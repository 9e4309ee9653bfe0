import History from "lucide-react/icons/history";
import SearchIcon from "lucide-react/icons/search";
import { type SyntheticEvent, useEffect, useRef, useState } from "react";
import { MIN_QUERY_CHARACTERS } from "#contract/limits";
import { failureText } from "../../../api/failure.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useStore } from "../../../lib/store.ts";
import { Button } from "../../../ui/button.tsx";
import { Choices } from "../../../ui/choices.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { EmptyState, Skeleton } from "../../../ui/surface.tsx";
import { Hit } from "./hit.tsx";
import { recentSearches, SHOWN } from "./recent.ts";
import { type Question, type Scope, scopes, useSearch } from "./use-search.ts";

interface SearchDialogProps {
  /** The folder that was on view. */
  readonly folder: string;
  readonly onClose: () => void;
}

/** Looks for files and folders by name. A result opens the folder that it lies in. */
export function SearchDialog({ folder, onClose }: SearchDialogProps) {
  useLanguage();
  const [text, setText] = useState("");
  const [scope, setScope] = useState<Scope>("global");
  const [question, setQuestion] = useState<Question>();
  const [short, setShort] = useState(false);
  useEffect(() => void recentSearches.recall(), []);
  const box = useRef<HTMLInputElement>(null);

  const ask = (query: string, where: Scope = scope) => {
    const trimmed = query.trim();
    setShort(trimmed.length < MIN_QUERY_CHARACTERS);
    if (trimmed.length < MIN_QUERY_CHARACTERS) return;
    void recentSearches.note(trimmed);
    setText(trimmed);
    // The button of a recent search goes with the list of them.
    box.current?.focus();
    setQuestion({ query: trimmed, scope: where, folder });
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    ask(text);
  };

  return (
    <Dialog title={t("search.title")} steady onClose={onClose}>
      <div className="grid grid-cols-1 gap-3">
        <form onSubmit={submit} className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <TextField
              ref={box}
              label={t("search.label")}
              hiddenLabel
              type="search"
              data-autofocus
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              className="[&::-webkit-search-cancel-button]:hidden"
              placeholder={t("search.placeholder")}
              value={text}
              error={short && t("search.short")}
              onChange={(event) => {
                setText(event.target.value);
                setShort(false);
              }}
              onKeyDown={(event) => {
                if (event.key !== "Escape" || text === "") return;
                // The second press closes.
                event.preventDefault();
                event.stopPropagation();
                setText("");
                setQuestion(undefined);
              }}
            />
          </div>
          <Button type="submit" variant="primary" icon={<SearchIcon aria-hidden />}>
            {t("search.go")}
          </Button>
        </form>
        {folder !== "/" && (
          <Choices
            legend={t("search.scope")}
            hiddenLegend
            choices={scopes.map((value) => ({ value, label: t(`search.scopes.${value}`) }))}
            value={scope}
            onChoose={(next) => {
              setScope(next);
              if (question) ask(question.query, next);
            }}
            className="grid grid-cols-3 gap-1.5"
          />
        )}
        {question ? <Results question={question} onClose={onClose} /> : <Recent onAsk={ask} />}
      </div>
    </Dialog>
  );
}

/** The last searches, to be asked again. */
function Recent({ onAsk }: { readonly onAsk: (query: string) => void }) {
  useLanguage();
  const recent = useStore(recentSearches.store);
  if (recent.length === 0) return <p className="py-6 text-center text-muted">{t("search.idle")}</p>;
  return (
    <section aria-label={t("search.recent")}>
      <div className="flex items-center">
        <h3 className="mr-auto font-medium text-[13px] text-muted">{t("search.recent")}</h3>
        <Button variant="plain" className="-mr-2 text-[13px]" onClick={() => void recentSearches.clear()}>
          {t("search.clear")}
        </Button>
      </div>
      <ul>
        {recent.slice(0, SHOWN).map((query) => (
          <li key={query}>
            <button
              type="button"
              onClick={() => onAsk(query)}
              className="flex min-h-9 w-full items-center gap-2.5 rounded-lg px-2 text-left hover:bg-sunken pointer-coarse:min-h-11"
            >
              <History aria-hidden className="size-4 shrink-0 text-muted" />
              <bdi className="min-w-0 truncate">{query}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ResultsProps {
  readonly question: Question;
  readonly onClose: () => void;
}

function Results({ question, onClose }: ResultsProps) {
  useLanguage();
  const { data, error, isPending, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = useSearch(question);
  const hits = data?.pages.flatMap(({ results }) => results) ?? [];
  const last = data?.pages.at(-1);
  const again = () => (data ? fetchNextPage() : refetch());
  return (
    <section aria-label={t("search.results")} aria-busy={isPending}>
      {isPending && <HitsSkeleton />}
      {last && hits.length > 0 && (
        <p role="status" className="mb-1 text-[13px] text-muted">
          {t(last.total_exact ? "search.found" : "search.foundMore", { count: last.total })}
        </p>
      )}
      {data && hits.length === 0 && (
        <div role="status">
          <EmptyState
            icon={<SearchIcon aria-hidden />}
            title={t("search.noneTitle")}
            text={t(question.scope === "global" ? "search.noneText" : "search.noneHere")}
          />
        </div>
      )}
      <ul>
        {hits.map((hit) => (
          <Hit key={hit.path} hit={hit} query={question.query} onOpen={onClose} />
        ))}
      </ul>
      {error && (
        <Notice tone="error" action={<Button onClick={again}>{t("shell.actions.retry")}</Button>}>
          {t(data ? "search.moreFailed" : "search.failed")} {failureText(error)}
        </Notice>
      )}
      {hasNextPage && !error && (
        <Button className="mt-2 w-full" busy={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {t("search.more")}
        </Button>
      )}
    </section>
  );
}

const HitsSkeleton = () => (
  <div className="grid gap-3 py-2">
    {["a", "b", "c"].map((row) => (
      <Skeleton key={row} className="h-9" />
    ))}
  </div>
);
