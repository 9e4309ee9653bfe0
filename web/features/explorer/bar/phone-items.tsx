import ListTodo from "lucide-react/icons/list-todo";
import ShoppingBasket from "lucide-react/icons/shopping-basket";
import { t } from "../../../i18n/i18n.ts";
import { useStore } from "../../../lib/store.ts";
import type { MenuItem } from "../../../ui/overlay/menu.tsx";
import { preferences, views } from "../model/preferences.ts";
import { basketOpen } from "../open-sheets.ts";
import { stripAway, stripOpen } from "../tasks/strip-state.ts";
import { useTree } from "../tree.ts";
import { viewIcons } from "./view-switch.tsx";

/** The commands that a phone leaves out: it has no keyboard to tell of. */
export const NO_KEYS: readonly string[] = ["shortcuts"];

/** What has no place in the bar of a phone and stands in the menu of the folder: the other views, the basket, and tasks that have ended. */
export function usePhoneItems(looks: boolean): readonly MenuItem[] {
  const { link } = useTree();
  const { view } = useStore(preferences);
  const hasTasks = useStore(stripAway);
  const items: MenuItem[] = [];
  for (const name of looks ? views : []) {
    const Icon = viewIcons[name];
    const run = () => preferences.change({ view: name });
    if (name !== view)
      items.push({ id: name, label: t(`explorer.view.${name}`), icon: <Icon aria-hidden />, group: 5, run });
  }
  const add = (id: string, label: string, icon: MenuItem["icon"], run: () => void) =>
    items.push({ id, label, icon, group: 6, run });
  if (looks && !link) add("basket", t("basket.title"), <ShoppingBasket aria-hidden />, () => basketOpen.set(true));
  if (hasTasks) add("tasks", t("tasks.label"), <ListTodo aria-hidden />, () => stripOpen.set(true));
  return items;
}
