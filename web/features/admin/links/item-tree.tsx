import type { Ref } from "react";
import type { FsItem } from "#contract/fs/fs";
import { useRights } from "../../../api/session/rights.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { bare } from "../../../lib/folder-path.ts";
import { FolderPicker } from "../../../ui/folder-picker.tsx";

/** What somebody has chosen of the tree, and whether it is above all mounts, to which no link leads. */
export interface ChosenItem {
  readonly entry: FsItem;
  readonly isVirtual: boolean;
}

interface ItemTreeProps {
  readonly chosen: ChosenItem | undefined;
  readonly onChoose: (chosen: ChosenItem) => void;
  readonly ref?: Ref<HTMLDivElement>;
}

/** The files and folders to which a link may lead. */
export function ItemTree({ chosen, onChoose, ref }: ItemTreeProps) {
  useLanguage();
  const { basePath } = useRights();
  return (
    <div ref={ref} className="max-h-80 overflow-y-auto rounded-lg border border-line p-2">
      <FolderPicker
        files
        label={t("link.items.tree")}
        rootName={t("link.items.root")}
        base={basePath}
        towards={basePath}
        chosen={chosen && bare(chosen.entry.path)}
        onChoose={(_, isVirtual, entry) => onChoose({ entry, isVirtual })}
      />
    </div>
  );
}
