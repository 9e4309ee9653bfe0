import { t, useLanguage } from "../../../i18n/i18n.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { Menu, type MenuItem } from "../../../ui/overlay/menu.tsx";
import type { Command } from "../commands/command.ts";
import type { CommandActions } from "../commands/command-actions.ts";
import { type CommandContext, only } from "../commands/command-context.ts";
import { commands } from "../commands/commands.ts";
import { shortcutName } from "../commands/keys.ts";

/** A menu that was asked for: of the selection when there is one, unless said. */
export interface MenuRequest {
  readonly at: DOMRect;
  readonly about?: Command["about"];
}

interface CommandMenuProps {
  readonly request: MenuRequest;
  readonly context: CommandContext;
  readonly actions: CommandActions;
  /** The ids of commands that are left out. */
  readonly without?: readonly string[];
  /** What stands below the commands of the folder. */
  readonly more?: readonly MenuItem[];
  readonly onClose: () => void;
}

/** What can be done with what is chosen, or in the folder, as a menu. */
export function CommandMenu({ request, context, actions, without = [], more = [], onClose }: CommandMenuProps) {
  useLanguage();
  const { chosen } = context;
  const about = request.about ?? (chosen.length > 0 ? "selection" : "folder");
  const one = only(context);
  const title = one ? shownName(one.name) : t("explorer.bar.chosen", { count: chosen.length });
  const items = commands
    .filter((command) => command.about === about && !command.hidden && command.allowed(context))
    .filter(({ id }) => !without.includes(id))
    .map(({ id, label, icon: Icon, shortcuts, danger, group, run }) => ({
      id,
      label: t(label),
      icon: <Icon aria-hidden />,
      keys: shortcuts?.[0] && shortcutName(shortcuts[0]),
      danger,
      group,
      run: () => run(actions, context),
    }));
  const label = t(about === "selection" ? "explorer.bar.selection" : "explorer.bar.folder");
  const all = about === "folder" ? [...items, ...more] : items;
  return <Menu {...{ label, onClose }} items={all} title={about === "selection" ? title : undefined} at={request.at} />;
}
