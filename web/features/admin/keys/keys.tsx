import KeyRound from "lucide-react/icons/key-round";
import Plus from "lucide-react/icons/plus";
import { type ReactNode, useState } from "react";
import type { KeyRecord } from "#contract/keys";
import { useKeys } from "../../../api/keys.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { EmptyState } from "../../../ui/surface.tsx";
import { found } from "../list/found.ts";
import { ListBar } from "../list/list-bar.tsx";
import { ListPage } from "../list/list-page.tsx";
import { useListQuery } from "../list/list-query.ts";
import { useSelection } from "../list/selection.ts";
import { ShareList } from "../list/share-list.tsx";
import { keyShape } from "./key-shape.tsx";
import type { Outcome } from "./outcome.ts";
import { type Open, Over } from "./over.tsx";
import { keySorts, sortedKeys } from "./sorted.ts";

const none: readonly KeyRecord[] = [];

const textsOf = ({ name, basic_path, key_masked, s3_access_key_id }: KeyRecord) => [
  name,
  basic_path,
  key_masked,
  s3_access_key_id,
];

/** The API keys: the administrator makes, hands out, changes and deletes them. */
export function Keys() {
  const language = useLanguage();
  const list = useKeys();
  const query = useListQuery({ sorts: keySorts });
  const matching = sortedKeys(found(list.data ?? none, query.search, textsOf), query, language);
  const shown = matching.slice((query.page - 1) * query.size, query.page * query.size);
  const selection = useSelection(shown.map(({ id }) => id));
  const [open, setOpen] = useState<Open>();
  const [outcome, setOutcome] = useState<Outcome>();
  const verbs = {
    connect: (key: KeyRecord) => setOpen({ verb: "connect", key }),
    edit: (key: KeyRecord) => setOpen({ verb: "edit", key }),
    remove: (key: KeyRecord) => setOpen({ verb: "remove", keys: [key] }),
  };
  const tell = (told: Outcome) => {
    setOutcome(told);
    selection.select(told.left ?? []);
  };
  const add = (label: string) => (
    <Button variant="primary" icon={<Plus aria-hidden />} onClick={() => setOpen({ verb: "add" })}>
      {label}
    </Button>
  );

  return (
    <>
      <ListPage
        title={t("admin.keys.title")}
        loading={{ ...list, isPlaceholderData: false }}
        query={query}
        total={list.data && matching.length}
        bar={
          <ListBar
            query={query}
            searchLabel={t("admin.keys.search")}
            searched={t("admin.keys.searched")}
            sorts={keySorts.map((value) => ({ value, label: t(`admin.keys.sort.${value}`) }))}
            filters={[]}
          />
        }
        tools={add(t("admin.keys.add"))}
        outcome={outcome}
        told={outcome && <Notice tone={outcome.tone}>{outcome.sentence}</Notice>}
        empty={<NoKeys action={add(t("admin.keys.emptyAction"))} />}
        selection={selection}
        onRemoveSelected={() => setOpen({ verb: "remove", keys: shown.filter(({ id }) => selection.has(id)) })}
      >
        {shown.length > 0 && <ShareList shape={keyShape(verbs)} rows={shown} selection={selection} sorting={query} />}
      </ListPage>
      {open && <Over open={open} onOpen={setOpen} onTell={tell} onClose={() => setOpen(undefined)} />}
    </>
  );
}

const NoKeys = ({ action }: { readonly action: ReactNode }) => (
  <EmptyState
    icon={<KeyRound aria-hidden />}
    title={t("admin.keys.emptyTitle")}
    text={t("admin.keys.emptyText")}
    action={action}
  />
);
