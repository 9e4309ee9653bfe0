import KeyRound from "lucide-react/icons/key-round";
import { useState } from "react";
import type { KeyRecord } from "#contract/keys";
import { useKeys } from "../../../api/keys.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { BulkBar } from "../list/bulk-bar.tsx";
import { ListBar } from "../list/list-bar.tsx";
import { ListPage } from "../list/list-page.tsx";
import { useListQuery } from "../list/list-query.ts";
import { searchItems } from "../list/search-items.ts";
import { useSelection } from "../list/selection.ts";
import { ShareList } from "../list/share-list.tsx";
import { AddButton, NoneYet } from "../resource/add-button.tsx";
import { type Outcome, OutcomeNotice } from "../resource/outcome.tsx";
import { Dialogs, type Open } from "./dialogs.tsx";
import { keyShape } from "./key-shape.tsx";
import { keySorts, sortedKeys } from "./sorted.ts";
import { useSuspending } from "./use-suspending.ts";

const none: readonly KeyRecord[] = [];

const textsOf = ({ name, basic_path, key_masked, s3_access_key_id }: KeyRecord) => [
  name,
  basic_path,
  key_masked,
  s3_access_key_id,
];

/** The API keys: the administrator makes, hands out, changes, suspends and deletes them. */
export function Keys() {
  const language = useLanguage();
  const list = useKeys();
  const query = useListQuery({ sorts: keySorts });
  const matching = sortedKeys(searchItems(list.data ?? none, query.search, textsOf), query, language);
  const shown = matching.slice((query.page - 1) * query.size, query.page * query.size);
  const selection = useSelection(shown.map(({ id }) => id));
  const [open, setOpen] = useState<Open>();
  const [outcome, setOutcome] = useState<Outcome>();
  const suspend = useSuspending(setOutcome);
  const add = () => setOpen({ verb: "add" });
  const verbs = {
    connect: (key: KeyRecord) => setOpen({ verb: "connect", key }),
    edit: (key: KeyRecord) => setOpen({ verb: "edit", key }),
    suspend: (key: KeyRecord, suspended: boolean) => void suspend(key, suspended),
    remove: (key: KeyRecord) => setOpen({ verb: "remove", keys: [key] }),
  };
  const onOutcome = (last: Outcome) => {
    setOutcome(last);
    selection.select(last.left ?? []);
  };

  return (
    <>
      <ListPage
        title={t("admin.keys.title")}
        loading={list}
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
        tools={<AddButton resource="admin.keys" onAdd={add} />}
        outcome={outcome}
        notice={outcome && <OutcomeNotice outcome={outcome} />}
        empty={<NoneYet resource="admin.keys" icon={<KeyRound aria-hidden />} onAdd={add} />}
        bulk={
          <BulkBar
            selection={selection}
            onRemove={() => setOpen({ verb: "remove", keys: shown.filter(({ id }) => selection.has(id)) })}
          />
        }
      >
        {shown.length > 0 && <ShareList shape={keyShape(verbs)} rows={shown} selection={selection} sorting={query} />}
      </ListPage>
      {open && <Dialogs open={open} onOpen={setOpen} onOutcome={onOutcome} onClose={() => setOpen(undefined)} />}
    </>
  );
}
