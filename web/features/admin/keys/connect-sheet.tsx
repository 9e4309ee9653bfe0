import type { KeyRecord } from "#contract/keys";
import { useKeyConnection } from "../../../api/keys.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { KeySheet } from "../../../ui/connect/key-sheet.tsx";
import { Notice } from "../../../ui/notice.tsx";

/** Of a key that was just made. */
export interface FreshKey {
  /** It is on the clipboard already. */
  readonly copied: boolean;
}

interface ConnectSheetProps {
  readonly record: KeyRecord;
  /** Right after the key was made: it is said that it is there. */
  readonly fresh: FreshKey | undefined;
  readonly onClose: () => void;
}

/** A key of the list, and what programs are told to use it. */
export function ConnectSheet({ record: { id, key, name }, fresh, onClose }: ConnectSheetProps) {
  useLanguage();
  const { data: connection, error, refetch } = useKeyConnection(id);
  return (
    <KeySheet
      title={fresh ? t("admin.keys.connect.fresh") : t("connect.key.title", { name })}
      value={key}
      lead={
        fresh && (
          <Notice tone="ok">
            {t(fresh.copied ? "admin.keys.connect.madeCopied" : "admin.keys.connect.made", { name })}
          </Notice>
        )
      }
      safety={t("admin.keys.connect.secret")}
      onRetry={() => refetch()}
      {...{ connection, error, onClose }}
    />
  );
}
