import PanelLeft from "lucide-react/icons/panel-left";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { IconButton } from "../../../ui/button.tsx";
import { preferences } from "../model/preferences.ts";
import { TREE_ID } from "./tree-panel.tsx";

/** Shows the tree of folders and folds it away; the choice is remembered. */
export function TreeButton({ shown }: { readonly shown: boolean }) {
  useLanguage();
  return (
    <IconButton
      label={t("explorer.tree.label")}
      aria-expanded={shown}
      aria-controls={shown ? TREE_ID : undefined}
      onClick={() => preferences.change({ tree: !shown })}
      className="max-xl:hidden"
    >
      <PanelLeft aria-hidden />
    </IconButton>
  );
}
