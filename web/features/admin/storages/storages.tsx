import Database from "lucide-react/icons/database";
import Plus from "lucide-react/icons/plus";
import { type ReactNode, useState } from "react";
import type { StorageConfig } from "#contract/storage";
import { failureText } from "../../../api/failure.ts";
import { useSetDefaultStorage, useStorageConfigs } from "../../../api/storage-configs.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Card, EmptyState, Skeleton } from "../../../ui/surface.tsx";
import { Heading } from "../list/list-page.tsx";
import type { Outcome } from "./outcome.ts";
import { type Open, Over } from "./over.tsx";
import { StorageCard } from "./storage-card.tsx";

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
      <Cards storages={storages ?? []} outcome={outcome} onOpen={setOpen} onTell={setOutcome} />
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

function Cards({ storages, outcome, onOpen, onTell }: CardsProps) {
  const { mutateAsync: setDefault } = useSetDefaultStorage();
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
