import { isBuiltIn, isFolderStorage } from "#contract/providers";
import type { StorageConfig, StorageUses } from "#contract/storage";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Moment } from "../list/row-parts.tsx";
import { Fact, Facts } from "../resource/facts.tsx";

/** The folder of a built-in storage, relative to the data folder. */
export const folderInData = (bucket: string): string => `objects/${bucket}`;

interface FactsProps {
  readonly storage: StorageConfig;
}

interface CardFactsProps extends FactsProps {
  /** Undefined until that is known. */
  readonly uses: StorageUses | undefined;
}

/** Where a storage is and how it is used, in pairs of name and value. */
export function CardFacts({ storage, uses }: CardFactsProps) {
  useLanguage();
  const { default_folder: folder, is_public: forKeys, last_used: lastUsed, created_at: createdAt } = storage;
  return (
    <Facts>
      {isFolderStorage(storage) ? (
        <Fact name={t("storage.form.machineFolder")} mono>
          {storage.read_only
            ? t("storage.form.machineFolderReadOnly", { name: storage.bucket_name })
            : storage.bucket_name}
        </Fact>
      ) : isBuiltIn(storage) ? (
        <Fact name={t("storage.card.onServer")} mono>
          {folderInData(storage.bucket_name)}
        </Fact>
      ) : (
        <Connection storage={storage} />
      )}
      <Fact name={t("storage.card.folder")} mono={folder !== ""}>
        {folder === "" ? t("storage.card.root") : folder}
      </Fact>
      {uses && (
        <Fact name={t("storage.card.usedBy")} wide>
          <UsedBy {...uses} />
        </Fact>
      )}
      <Fact name={t("storage.card.keys")}>{t(forKeys ? "storage.card.keysMay" : "storage.card.keysMayNot")}</Fact>
      <Fact name={t("storage.card.lastTest")}>
        <LastTest storage={storage} />
      </Fact>
      <Fact name={t("storage.card.lastUsed")}>{lastUsed ? <Moment at={lastUsed} /> : t("storage.card.neverUsed")}</Fact>
      <Fact name={t("storage.card.created")}>
        <Moment at={createdAt} />
      </Fact>
    </Facts>
  );
}

function UsedBy({ mounts, files }: Pick<StorageUses, "mounts" | "files">) {
  const shares = files > 0 ? [t("storage.card.shares", { count: files })] : [];
  const uses = [...mounts.map(({ path }) => path), ...shares];
  return uses.length === 0 ? t("storage.card.unused") : uses.join(" · ");
}

function LastTest({ storage: { last_test: test } }: FactsProps) {
  if (!test) return t("storage.card.neverTested");
  return (
    <>
      <span className={test.passed ? "text-ok" : "text-danger"}>
        {t(test.passed ? "storage.card.passed" : "storage.card.failed")}
      </span>
      {" · "}
      <Moment at={test.at} />
    </>
  );
}

function Connection({ storage }: FactsProps) {
  const { endpoint_url: endpoint, bucket_name: bucket, region, path_style: pathStyle } = storage;
  const { access_key_id: accessKey, custom_host: customHost } = storage;
  return (
    <>
      <Fact name={t("storage.card.endpoint")} mono wide>
        {endpoint}
      </Fact>
      {customHost && (
        <Fact name={t("storage.card.customHost")} mono wide>
          {customHost}
        </Fact>
      )}
      <Fact name={t("storage.card.bucket")} mono>
        {bucket}
      </Fact>
      <Fact name={t("storage.card.region")} mono={Boolean(region)}>
        {region || t("storage.card.noRegion")}
      </Fact>
      <Fact name={t("storage.card.pathStyle")}>{t(pathStyle ? "storage.card.on" : "storage.card.off")}</Fact>
      <Fact name={t("storage.card.accessKey")} mono>
        {accessKey}
      </Fact>
    </>
  );
}
