import { loadWords, t, useLanguage } from "../../../../i18n/i18n.ts";
import { useCode } from "../../../../page/code.ts";
import { Skeleton } from "../../../../ui/card.tsx";
import { FailedNotice } from "../../../../ui/notice.tsx";
import { Sheet } from "../../../../ui/overlay/dialog.tsx";

interface HelpProps {
  readonly onClose: () => void;
}

/** The help of the editor, which is loaded when it is asked for. */
export function Help({ onClose }: HelpProps) {
  useLanguage();
  const { data, error, again } = useCode("help of the editor", async () => {
    const [{ HelpSheet }] = await Promise.all([import("./help-sheet.tsx"), loadWords("help")]);
    return HelpSheet;
  });
  const Shown = data;
  if (Shown) return <Shown onClose={onClose} />;
  return (
    <Sheet title={t("editing.tool.help")} onClose={onClose}>
      {error ? (
        <FailedNotice text={t("shell.failure.network")} onRetry={() => void again(false)} />
      ) : (
        <div className="grid gap-4">
          <Skeleton className="h-9 w-40" />
          <Skeleton className="h-32 w-full" />
          <Skeleton className="h-32 w-full" />
        </div>
      )}
    </Sheet>
  );
}
