import Plus from "lucide-react/icons/plus";
import X from "lucide-react/icons/x";
import { useRef, useState } from "react";
import { MAX_LINK_ITEMS } from "#contract/limits";
import { useRights } from "../../../api/session/rights.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { bare } from "../../../lib/folder-path.ts";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import type { EditedItem } from "./edited-item.ts";
import { type ChosenItem, ItemTree } from "./item-tree.tsx";

interface AddItemProps {
  /** What the link leads to. */
  readonly known: readonly EditedItem[];
  readonly onAdd: (item: EditedItem) => void;
}

/** Adds files and folders of the tree, one after the other. */
export function AddItem({ known, onAdd }: AddItemProps) {
  useLanguage();
  const { may } = useRights();
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<ChosenItem>();
  const tree = useRef<HTMLDivElement>(null);
  if (!may("mount_view")) return null;
  const refusal = chosen && refusalOf(chosen, known);
  const add = ({ entry: { name, path, isDirectory } }: ChosenItem): void => {
    onAdd({ name, path, isDirectory });
    // The button that was pressed has nothing to do now.
    tree.current?.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
    setChosen(undefined);
  };
  return (
    <div className="grid gap-2">
      <Button
        icon={isOpen ? <X aria-hidden /> : <Plus aria-hidden />}
        aria-expanded={isOpen}
        className="justify-self-start"
        onClick={() => setOpen(!isOpen)}
      >
        {t(isOpen ? "link.items.addClose" : "link.items.add")}
      </Button>
      {isOpen && (
        <>
          <ItemTree ref={tree} chosen={chosen} onChoose={setChosen} />
          {refusal && <Notice tone="plain">{refusal}</Notice>}
          <Button
            className="justify-self-end"
            disabled={!chosen || refusal !== undefined}
            onClick={() => chosen && add(chosen)}
          >
            {t("link.items.addChosen")}
          </Button>
        </>
      )}
    </div>
  );
}

/** Why something cannot be added. */
function refusalOf({ entry, isVirtual }: ChosenItem, known: readonly EditedItem[]): string | undefined {
  if (isVirtual) return t("link.items.onlyMounts");
  if (known.some(({ path }) => path !== null && bare(path) === bare(entry.path))) return t("link.items.known");
  return known.length >= MAX_LINK_ITEMS ? t("link.items.full", { limit: MAX_LINK_ITEMS }) : undefined;
}
