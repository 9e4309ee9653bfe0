import History from "lucide-react/icons/history";
import SearchIcon from "lucide-react/icons/search";
import { type KeyboardEvent, type SyntheticEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import type { FsHit } from "#contract/fs/fs";
import { MIN_QUERY_CHARACTERS } from "#contract/limits";
import { failureText } from "../../../api/failure.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { bare } from "../../../lib/folder-path.ts";
import { useStore } from "../../../lib/store.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState, Skeleton } from "../../../ui/card.tsx";
import { Choices } from "../../../ui/form/choices.tsx";
import { TextField } from "../../../ui/form/field.tsx";
import { FailedNotice } from "../../../ui/notice.tsx";
import { Dialog } from "../../../ui/overlay/dialog.tsx";
import { Hit } from "./hit.tsx";
import { recentSearches, SHOWN } from "./recent.ts";
import { type Question, type Scope, scopes, useSearch, useSearchNear } from "./use-search.ts";

/** How long somebody pauses before what they have typed is looked for, in milliseconds. */
const PAUSE = 200;

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
  useTyped(text, question, (query) => setQuestion(query === undefined ? undefined : { query, scope, folder }));

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
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrows walk through what stands in it */}
      <div className="grid grid-cols-1 gap-3" onKeyDown={(event) => walk(event, box.current)}>
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

/** Asks for what is typed as soon as somebody pauses. A question that another one follows is given up. */
function useTyped(text: string, asked: Question | undefined, ask: (query: string | undefined) => void): void {
  const query = text.trim();
  const put = useEffectEvent(() => {
    if (query.length < MIN_QUERY_CHARACTERS) return asked && ask(undefined);
    if (query !== asked?.query) ask(query);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: it waits anew for each letter
  useEffect(() => {
    const timer = setTimeout(put, PAUSE);
    return () => clearTimeout(timer);
  }, [query]);
}

/** Goes from the box to the results, from one to the next, and back. */
function walk(event: KeyboardEvent<HTMLElement>, box: HTMLInputElement | null): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const hits: Element[] = [...event.currentTarget.querySelectorAll("[data-hit]")];
  const at = document.activeElement ? hits.indexOf(document.activeElement) : -1;
  const isElsewhere = at < 0 && document.activeElement !== box;
  if (hits.length === 0 || isElsewhere || (at < 0 && event.key === "ArrowUp")) return;
  event.preventDefault();
  const next = event.key === "ArrowDown" ? hits[Math.min(at + 1, hits.length - 1)] : (hits[at - 1] ?? box);
  if (next instanceof HTMLElement) next.focus();
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
  const { near, far } = sortedOut(
    question,
    useSearchNear(question),
    data?.pages.flatMap(({ results }) => results) ?? [],
  );
  const hits = [...near, ...far];
  const last = data?.pages.at(-1);
  const open = () => {
    void recentSearches.note(question.query);
    onClose();
  };
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
      {near.length > 0 && <Hits title={t("search.here")} hits={near} query={question.query} onOpen={open} />}
      {far.length > 0 && (
        <Hits
          title={near.length > 0 ? t("search.elsewhere") : undefined}
          hits={far}
          query={question.query}
          onOpen={open}
        />
      )}
      {error && (
        <FailedNotice
          text={`${t(data ? "search.moreFailed" : "search.failed")} ${failureText(error)}`}
          onRetry={again}
        />
      )}
      {hasNextPage && !error && (
        <Button className="mt-2 w-full" busy={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {t("search.more")}
        </Button>
      )}
    </section>
  );
}

/** What lies in the folder on view, of which some come first, and what does not; all together where that makes no difference. */
function sortedOut({ folder }: Question, first: readonly FsHit[], all: readonly FsHit[]) {
  const known = new Set(first.map(({ path }) => path));
  const others = all.filter(({ path }) => !known.has(path));
  const isHere = ({ path }: FsHit) => first.length > 0 && path.startsWith(`${folder}/`) && bare(path) !== folder;
  return { near: [...first, ...others.filter(isHere)], far: others.filter((hit) => !isHere(hit)) };
}

interface HitsProps {
  readonly title: string | undefined;
  readonly hits: readonly FsHit[];
  readonly query: string;
  readonly onOpen: () => void;
}

const Hits = ({ title, hits, query, onOpen }: HitsProps) => (
  <>
    {title !== undefined && <h3 className="mt-2 font-medium text-[13px] text-muted">{title}</h3>}
    <ul aria-label={title}>
      {hits.map((hit) => (
        <Hit key={hit.path} hit={hit} query={query} onOpen={onOpen} />
      ))}
    </ul>
  </>
);

const HitsSkeleton = () => (
  <div className="grid gap-3 py-2">
    {["a", "b", "c"].map((row) => (
      <Skeleton key={row} className="h-9" />
    ))}
  </div>
);
