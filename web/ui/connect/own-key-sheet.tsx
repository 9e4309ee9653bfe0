import { useOwnConnection } from "../../api/keys.ts";
import { useSession } from "../../api/session/session.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { KeySheet } from "./key-sheet.tsx";

export interface OwnKeySheetProps {
  readonly onClose: () => void;
}

/** The key that is signed in here, and what programs are told to use it. */
export function OwnKeySheet({ onClose }: OwnKeySheetProps) {
  useLanguage();
  const present = useSession();
  const { data: connection, error, refetch } = useOwnConnection();
  if (present.authType !== "apikey") return null;
  return (
    <KeySheet
      title={t("connect.key.title", { name: present.name })}
      value={present.key}
      safety={t("connect.key.safe")}
      onRetry={() => refetch()}
      {...{ connection, error, onClose }}
    />
  );
}
