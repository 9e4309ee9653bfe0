import RefreshCw from "lucide-react/icons/refresh-cw";
import SearchX from "lucide-react/icons/search-x";
import { type ReactNode, useEffect, useRef } from "react";
import { failureText, isFailure } from "../../../api/failure.ts";
import { session } from "../../../api/session/session.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useStore } from "../../../lib/store.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Card, EmptyState } from "../../../ui/card.tsx";
import { FailedNotice } from "../../../ui/notice.tsx";
import type { ListQuery } from "./list-query.ts";
import { Pages } from "./pages.tsx";
import { ListSkeleton } from "./share-list.tsx";

/** How the loading of a page of the list stands. */
export interface Loading {
  readonly isPending: boolean;
  readonly isFetching: boolean;
  /** What is shown is still the page before. */
  readonly isPlaceholderData: boolean;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

interface ListPageProps {
  readonly title: string;
  readonly loading: Loading;
  readonly query: ListQuery;
  /** Rows in all; undefined until it is known. */
  readonly total: number | undefined;
  /** Whether there are more; not unless said. */
  readonly more?: boolean | undefined;
  /** What the list is searched for and narrowed by. */
  readonly bar: ReactNode;
  /** Buttons for what concerns the whole list, as long as there is anything in it. */
  readonly tools: ReactNode;
  /** What came of the last action, a new object for each; undefined before the first. */
  readonly outcome: object | undefined;
  /** Says what came of it. */
  readonly notice: ReactNode;
  /** What the page says while there is nothing to list. */
  readonly empty: ReactNode;
  /** Stands in the place of the list while it is loading; the rows of a table unless given. */
  readonly skeleton?: ReactNode;
  /** What can be done with the rows that are ticked. */
  readonly bulk?: ReactNode;
  /** The list itself. */
  readonly children: ReactNode;
}

/** The page of one list: its title and tools, the state it is in, the way through its pages, the bar for what is ticked. */
export function ListPage({ title, loading, query, total, more, outcome, ...parts }: ListPageProps) {
  useLanguage();
  const notice = useRef<HTMLDivElement>(null);
  // The bar that started it floats at the end of the list, where what came of it would go unseen.
  useEffect(() => {
    if (outcome) notice.current?.scrollIntoView({ block: "nearest" });
  }, [outcome]);
  const { error, refetch, isPlaceholderData } = loading;
  // What a key may do is just being asked: it may be about to leave this page, which was its to see until now.
  const asked = useStore(session.checking) !== undefined && isFailure(error, "auth.forbidden");
  const { skeleton = <ListSkeleton /> } = parts;
  const { page, size, go, narrowed } = query;
  const pages = total === undefined ? undefined : Math.ceil(total / size);
  const known = isPlaceholderData ? undefined : pages;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the way to another page is the same at each rendering.
  useEffect(() => {
    // The last row of the last page was deleted, or the address asks for a page that was never there.
    if (known !== undefined && page > 1 && page > known) go(Math.max(1, known));
  }, [page, known]);
  const isEmpty = total === 0 && !narrowed;

  return (
    <>
      <Heading title={title} loading={loading}>
        {!isEmpty && parts.tools}
      </Heading>
      {outcome && (
        <div ref={notice} className="mb-3 scroll-mt-28">
          {parts.notice}
        </div>
      )}
      {error && !asked ? <FailedNotice text={failureText(error)} onRetry={refetch} className="mb-3" /> : null}
      {!isEmpty && parts.bar}
      {(loading.isPending || asked) && skeleton}
      {isEmpty && <Card>{parts.empty}</Card>}
      {total === 0 && narrowed && !isPlaceholderData && <NoneFound onClearFilters={query.clearFilters} />}
      <div className={isPlaceholderData ? "opacity-60 transition-opacity" : undefined}>{parts.children}</div>
      {total !== undefined && pages !== undefined && total > 0 && (
        <Pages page={page} pages={pages} total={total} more={more} onGo={go} sizing={query} />
      )}
      {parts.bulk}
    </>
  );
}

/** Nothing is in the list that was asked for. */
function NoneFound({ onClearFilters }: { readonly onClearFilters: () => void }) {
  useLanguage();
  return (
    <Card>
      <EmptyState
        icon={<SearchX aria-hidden />}
        title={t("admin.list.noneTitle")}
        text={t("admin.list.noneText")}
        action={<Button onClick={onClearFilters}>{t("admin.list.widen")}</Button>}
      />
    </Card>
  );
}

interface HeadingProps {
  readonly title: string;
  readonly loading: Pick<Loading, "isFetching" | "refetch">;
  readonly children: ReactNode;
}

/** The title of a list, the way to read it again, and the buttons for what concerns all of it. */
function Heading({ title, loading: { isFetching, refetch }, children }: HeadingProps) {
  useLanguage();
  return (
    <div className="mb-4 flex min-h-9 flex-wrap items-center gap-2 pointer-coarse:min-h-11">
      <h1 className="mr-auto font-semibold text-xl">{title}</h1>
      <IconButton label={t("admin.list.refresh")} onClick={() => refetch()} aria-busy={isFetching}>
        <RefreshCw aria-hidden className={isFetching ? "animate-spin" : undefined} />
      </IconButton>
      {children}
    </div>
  );
}
