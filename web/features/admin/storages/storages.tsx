import Database from "lucide-react/icons/database";
import Plus from "lucide-react/icons/plus";
import { type ReactNode, useEffect, useState } from "react";
import type { StorageConfig } from "#contract/storage";
import { failureText } from "../../../api/failure.ts";
import { useSetDefaultStorage, useStorageConfigs, useStorageUses } from "../../../api/storage-configs.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { providerName } from "../../../ui/provider-name.ts";
import { Card, EmptyState, Skeleton } from "../../../ui/surface.tsx";
import { found } from "../list/found.ts";
import { Heading, NoneFound } from "../list/list-page.tsx";
import { useListQuery } from "../list/list-query.ts";
import { Pages } from "../list/pages.tsx";
import { SearchBox } from "../list/search-box.tsx";
import type { Outcome } from "./outcome.ts";
import { type Open, Over } from "./over.tsx";
import { StorageCard } from "./storage-card.tsx";

/** Cards on a page. */
const PAGE = 6;

/** Where files can be kept: the administrator adds storages, tests them, changes and forgets them. */
export function Storages() {
  useLanguage();
  const list = useStorageConfigs();
  const { data: storages, error, isPending, refetch } = list;
  const [open, setOpen] = useState<Open>();
  const [outcome, setOutcome] = useState<Outcome>();
  const add = (
    <Button variant="primary" icon={<Plus aria-hidden />} onClick={() => setOpen({ verb: "add" })}>
      {t(storages?.length === 0 ? "storage.emptyAction" : "storage.add")}
    </Button>
  );
  return (
    <>
      <Heading title={t("storage.title")} loading={list}>
        {storages?.length !== 0 && add}
      </Heading>
      {error ? <LoadFailed error={error} onRetry={refetch} /> : null}
      {outcome && outcome.id === undefined && (
        <Notice tone={outcome.tone} className="mb-3">
          {outcome.sentence}
        </Notice>
      )}
      {isPending && <CardsSkeleton />}
      {storages?.length === 0 && <NoStorages action={add} />}
      {storages && storages.length > 0 && (
        <Found storages={storages} outcome={outcome} onOpen={setOpen} onTell={setOutcome} />
      )}
      {open && <Over open={open} onClose={() => setOpen(undefined)} onTell={setOutcome} />}
    </>
  );
}

interface CardsProps {
  readonly storages: readonly StorageConfig[];
  readonly outcome: Outcome | undefined;
  readonly onOpen: (open: Open) => void;
  readonly onTell: (outcome: Outcome) => void;
}

const textsOf = ({ name, provider_type: provider, bucket_name, endpoint_url, default_folder }: StorageConfig) => [
  name,
  providerName(provider),
  bucket_name,
  endpoint_url ?? null,
  default_folder ?? null,
];

/** The search box and, page by page, what it finds. */
function Found({ storages, outcome, ...rest }: CardsProps) {
  const { search, searchFor, page: asked, go, widen } = useListQuery({ sorts: ["order"] });
  const all = found(storages, search, textsOf);
  const pages = Math.max(1, Math.ceil(all.length / PAGE));
  const page = Math.min(asked, pages);
  const told = outcome?.id === undefined ? -1 : all.findIndex(({ id }) => id === outcome.id);
  const toldPage = told < 0 ? undefined : Math.floor(told / PAGE) + 1;
  // What was said may stand on a card of another page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only something said anew turns the page.
  useEffect(() => {
    if (toldPage !== undefined && toldPage !== page) go(toldPage);
  }, [outcome, toldPage]);
  return (
    <>
      {(storages.length > 1 || search !== "") && (
        <div className="mb-3 flex">
          <SearchBox label={t("storage.search")} value={search} onSearch={searchFor} />
        </div>
      )}
      {all.length === 0 && <NoneFound onWiden={widen} />}
      <Cards storages={all.slice((page - 1) * PAGE, page * PAGE)} outcome={outcome} {...rest} />
      {storages.length > PAGE && all.length > 0 && <Pages page={page} pages={pages} total={all.length} onGo={go} />}
    </>
  );
}

function Cards({ storages, outcome, onOpen, onTell }: CardsProps) {
  const { mutateAsync: setDefault } = useSetDefaultStorage();
  const { data: uses } = useStorageUses();
  const choose = async ({ id }: StorageConfig) => {
    try {
      await setDefault(id);
      onTell({ id, tone: "ok", sentence: t("storage.told.isDefault") });
    } catch (error) {
      onTell({ id, tone: "error", sentence: failureText(error) });
    }
  };
  return (
    <ul className="grid grid-cols-1 gap-3 lg:grid-cols-2">
      {storages.map((storage) => (
        <li key={storage.id} className="min-w-0">
          <StorageCard
            storage={storage}
            uses={uses?.find(({ id }) => id === storage.id)}
            outcome={outcome?.id === storage.id ? outcome : undefined}
            onVerb={(verb) => onOpen({ verb, storage })}
            onDefault={() => choose(storage)}
          />
        </li>
      ))}
    </ul>
  );
}

interface LoadFailedProps {
  readonly error: Error;
  readonly onRetry: () => unknown;
}

const LoadFailed = ({ error, onRetry }: LoadFailedProps) => (
  <Notice tone="error" className="mb-3" action={<Button onClick={onRetry}>{t("shell.actions.retry")}</Button>}>
    {failureText(error)}
  </Notice>
);

const NoStorages = ({ action }: { readonly action: ReactNode }) => (
  <Card>
    <EmptyState
      icon={<Database aria-hidden />}
      title={t("storage.emptyTitle")}
      text={t("storage.emptyText")}
      action={action}
    />
  </Card>
);

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
