import Database from "lucide-react/icons/database";
import { useState } from "react";
import type { StorageConfig } from "#contract/storage";
import { failureText } from "../../../api/failure.ts";
import { useSetDefaultStorage, useStorageConfigs, useStorageUses } from "../../../api/storage-configs.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { providerName } from "../../../ui/provider-name.ts";
import { CardPage } from "../resource/card-page.tsx";
import type { Outcome } from "../resource/outcome.tsx";
import { Dialogs, type Open } from "./dialogs.tsx";
import { StorageCard } from "./storage-card.tsx";

const textsOf = ({ name, provider_type: provider, bucket_name, endpoint_url, default_folder }: StorageConfig) => [
  name,
  providerName(provider),
  bucket_name,
  endpoint_url ?? null,
  default_folder ?? null,
];

/** Where files can be kept: the administrator adds storages, tests them, changes and forgets them. */
export function Storages() {
  useLanguage();
  const list = useStorageConfigs();
  const { data: uses } = useStorageUses();
  const { mutateAsync: setDefault } = useSetDefaultStorage();
  const [open, setOpen] = useState<Open>();
  const [outcome, setOutcome] = useState<Outcome>();
  const choose = async (id: string) => {
    try {
      await setDefault(id);
      setOutcome({ id, tone: "ok", sentence: t("storage.notice.isDefault") });
    } catch (error) {
      setOutcome({ id, tone: "error", sentence: failureText(error) });
    }
  };
  return (
    <>
      <CardPage
        resource="storage"
        icon={<Database aria-hidden />}
        list={list}
        textsOf={textsOf}
        onAdd={() => setOpen({ verb: "add" })}
        outcome={outcome}
        card={(storage, itsOutcome) => (
          <StorageCard
            storage={storage}
            uses={uses?.find(({ id }) => id === storage.id)}
            outcome={itsOutcome}
            onVerb={(verb) => setOpen({ verb, storage })}
            onDefault={() => choose(storage.id)}
          />
        )}
      />
      {open && <Dialogs open={open} onOpen={setOpen} onClose={() => setOpen(undefined)} onOutcome={setOutcome} />}
    </>
  );
}
