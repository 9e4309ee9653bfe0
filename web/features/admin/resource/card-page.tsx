import { type ReactNode, useEffect } from "react";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Card, Skeleton } from "../../../ui/card.tsx";
import { ListPage, type Loading } from "../list/list-page.tsx";
import { useListQuery } from "../list/list-query.ts";
import { SearchBox } from "../list/search-box.tsx";
import { searchItems } from "../list/search-items.ts";
import { AddButton, NoneYet, type ResourceName } from "./add-button.tsx";
import { type Outcome, OutcomeNotice } from "./outcome.tsx";

/** Cards on a page. */
const PAGE = 6;

interface CardPageProps<Item> {
  readonly resource: ResourceName;
  readonly icon: ReactNode;
  /** All of them; a page is cut from them here. */
  readonly list: Loading & { readonly data: readonly Item[] | undefined };
  /** The texts in which is searched. */
  readonly textsOf: (item: Item) => readonly (string | null)[];
  readonly onAdd: () => void;
  readonly outcome: Outcome | undefined;
  /** The card of one, with the outcome of the last action when it was about this one. */
  readonly card: (item: Item, outcome: Outcome | undefined) => ReactNode;
}

/** The page of a few resources that each have a card: searched, and shown page by page. */
export function CardPage<Item extends { readonly id: string }>(props: CardPageProps<Item>) {
  const { resource, icon, list, textsOf, onAdd, outcome, card } = props;
  useLanguage();
  const asked = useListQuery({ sorts: ["order"], sizes: [PAGE] });
  const { search, searchFor, go } = asked;
  const all = list.data ?? [];
  const matching = searchItems(all, search, textsOf);
  // One that was removed may have been the last of its page.
  const page = Math.min(asked.page, Math.max(1, Math.ceil(matching.length / PAGE)));
  const shown = matching.slice((page - 1) * PAGE, page * PAGE);
  const index = outcome?.id === undefined ? -1 : matching.findIndex(({ id }) => id === outcome.id);
  const outcomePage = index < 0 ? undefined : Math.floor(index / PAGE) + 1;
  // The card that shows the outcome may stand on another page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new outcome turns the page.
  useEffect(() => {
    if (outcomePage !== undefined && outcomePage !== page) go(outcomePage);
  }, [outcome, outcomePage]);

  return (
    <ListPage
      title={t(`${resource}.title`)}
      loading={list}
      query={{ ...asked, page }}
      total={list.data && matching.length}
      bar={
        (all.length > 1 || search !== "") && (
          <div className="mb-3 flex">
            <SearchBox label={t(`${resource}.search`)} value={search} onSearch={searchFor} />
          </div>
        )
      }
      tools={<AddButton resource={resource} onAdd={onAdd} />}
      outcome={outcome?.id === undefined ? outcome : undefined}
      notice={outcome && <OutcomeNotice outcome={outcome} />}
      empty={<NoneYet resource={resource} icon={icon} onAdd={onAdd} />}
      skeleton={<CardsSkeleton />}
    >
      {shown.length > 0 && (
        <ul className="grid grid-cols-1 gap-3 lg:grid-cols-2">
          {shown.map((item) => (
            <li key={item.id} className="min-w-0">
              {card(item, outcome?.id === item.id ? outcome : undefined)}
            </li>
          ))}
        </ul>
      )}
    </ListPage>
  );
}

/** Grey shapes of the height of a card. */
const CardsSkeleton = () => (
  <div aria-busy="true" className="grid grid-cols-1 gap-3 lg:grid-cols-2">
    {["a", "b"].map((card) => (
      <Card key={card} className="grid h-72 content-start gap-5 p-4">
        <Skeleton className="h-9 w-1/2" />
        <Skeleton className="h-3" />
        <Skeleton className="h-24" />
      </Card>
    ))}
  </div>
);
