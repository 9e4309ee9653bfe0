import FolderTree from "lucide-react/icons/folder-tree";
import Plus from "lucide-react/icons/plus";
import { useEffect, useState } from "react";
import type { MountRecord } from "#contract/mounts";
import { failureText } from "../../../api/failure.ts";
import { useMounts, useSwitchMount } from "../../../api/mounts.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Card, EmptyState, Skeleton } from "../../../ui/surface.tsx";
import { found } from "../list/found.ts";
import { Heading, NoneFound } from "../list/list-page.tsx";
import { useListQuery } from "../list/list-query.ts";
import { Pages } from "../list/pages.tsx";
import { SearchBox } from "../list/search-box.tsx";
import { MountCard } from "./mount-card.tsx";
import type { Outcome } from "./outcome.ts";
import { type Open, Over } from "./over.tsx";

/** Cards on a page. */
const PAGE = 6;

/** The places of storages in the tree: the administrator adds them, switches them on and off, changes and removes them. */
export function Mounts() {
  useLanguage();
  const list = useMounts();
  const { data: mounts, error, isPending, refetch } = list;
  const [open, setOpen] = useState<Open>();
  const [outcome, setOutcome] = useState<Outcome>();
  const add = (
    <Button variant="primary" icon={<Plus aria-hidden />} onClick={() => setOpen({ verb: "add" })}>
      {t(mounts?.length === 0 ? "mount.emptyAction" : "mount.add")}
    </Button>
  );
  return (
    <>
      <Heading title={t("mount.title")} loading={list}>
        {mounts?.length !== 0 && add}
      </Heading>
      {error ? (
        <Notice
          tone="error"
          className="mb-3"
          action={<Button onClick={() => refetch()}>{t("shell.actions.retry")}</Button>}
        >
          {failureText(error)}
        </Notice>
      ) : null}
      {outcome && outcome.id === undefined && (
        <Notice tone={outcome.tone} className="mb-3">
          {outcome.sentence}
        </Notice>
      )}
      {isPending && <CardsSkeleton />}
      {mounts?.length === 0 && (
        <Card>
          <EmptyState
            icon={<FolderTree aria-hidden />}
            title={t("mount.emptyTitle")}
            text={t("mount.emptyText")}
            action={add}
          />
        </Card>
      )}
      {mounts && mounts.length > 0 && <Found mounts={mounts} outcome={outcome} onOpen={setOpen} onTell={setOutcome} />}
      {open && <Over open={open} onClose={() => setOpen(undefined)} onTell={setOutcome} />}
    </>
  );
}

const textsOf = ({ name, mount_path: path, remark, storage_config_name: storage }: MountRecord) => [
  name,
  path,
  remark,
  storage,
];

interface FoundProps {
  readonly mounts: readonly MountRecord[];
  readonly outcome: Outcome | undefined;
  readonly onOpen: (open: Open) => void;
  readonly onTell: (outcome: Outcome) => void;
}

/** The search box and, page by page, what it finds. */
function Found({ mounts, outcome, onOpen, onTell }: FoundProps) {
  const { search, searchFor, page: asked, go, widen } = useListQuery({ sorts: ["order"] });
  const all = found(mounts, search, textsOf);
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
      {(mounts.length > 1 || search !== "") && (
        <div className="mb-3 flex">
          <SearchBox label={t("mount.search")} value={search} onSearch={searchFor} />
        </div>
      )}
      {all.length === 0 && <NoneFound onWiden={widen} />}
      <Cards mounts={all.slice((page - 1) * PAGE, page * PAGE)} outcome={outcome} onOpen={onOpen} onTell={onTell} />
      {all.length > 0 && <Pages page={page} pages={pages} total={all.length} onGo={go} />}
    </>
  );
}

function Cards({ mounts, outcome, onOpen, onTell }: FoundProps) {
  const { mutateAsync: turn } = useSwitchMount();
  const switchTo = async (id: string, active: boolean) => {
    try {
      await turn({ id, active });
      const sentence = t(active ? "mount.told.enabled" : "mount.told.disabled");
      onTell({ id, tone: "ok", sentence, undo: () => switchTo(id, !active) });
    } catch (error) {
      onTell({ id, tone: "error", sentence: failureText(error) });
    }
  };
  return (
    <ul className="grid grid-cols-1 gap-3 lg:grid-cols-2">
      {mounts.map((mount) => (
        <li key={mount.id} className="min-w-0">
          <MountCard
            mount={mount}
            outcome={outcome?.id === mount.id ? outcome : undefined}
            onVerb={(verb) => onOpen({ verb, mount })}
            onSwitch={() => switchTo(mount.id, mount.is_active !== 1)}
          />
        </li>
      ))}
    </ul>
  );
}

/** Grey shapes of the height of a card. */
const CardsSkeleton = () => (
  <div aria-busy="true" className="grid grid-cols-1 gap-3 lg:grid-cols-2">
    {["a", "b"].map((card) => (
      <Card key={card} className="grid h-64 content-start gap-5 p-4">
        <Skeleton className="h-9 w-1/2" />
        <Skeleton className="h-3" />
        <Skeleton className="h-24" />
      </Card>
    ))}
  </div>
);
