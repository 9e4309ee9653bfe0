import EllipsisVertical from "lucide-react/icons/ellipsis-vertical";
import X from "lucide-react/icons/x";
import { useRef } from "react";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { classes } from "../../../lib/classes.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import type { Command } from "../commands/command.ts";
import type { CommandActions } from "../commands/command-actions.ts";
import type { CommandContext } from "../commands/command-context.ts";
import { commands } from "../commands/commands.ts";
import { shortcutName } from "../commands/keys.ts";

interface ToolbarProps {
  readonly context: CommandContext;
  readonly actions: CommandActions;
  /** Opens the menu of all commands at a button. */
  readonly onMenu: (about: Command["about"], at: DOMRect) => void;
}

/** The commands that stand in a toolbar by themselves. */
export const shownIn = (about: Command["about"], context: CommandContext): readonly Command[] =>
  commands.filter((command) => command.prominent && command.about === about && command.allowed(context));

/** What stands in the bar of a folder into which nothing can be put. */
const refresh = commands.filter(({ id }) => id === "refresh");

const isChoosing = ({ chosen, touch }: CommandContext): boolean => chosen.length > 0 || touch;

/** What can be done in the folder, or with what is chosen in it. */
export const Toolbar = (props: ToolbarProps) =>
  isChoosing(props.context) ? <SelectionBar {...props} /> : <FolderBar {...props} />;

/** The same on a phone, below the list: the bar of the folder stays above it, so that the list does not jump under the finger. */
export const ToolbarOfSelection = (props: ToolbarProps) =>
  isChoosing(props.context) ? <SelectionBar {...props} /> : null;

/** Reports whether more can be done in the folder than what is shown of it, and than what is left out by its id. */
export const offersMore = (
  context: CommandContext,
  shown: readonly Command[],
  without: readonly string[] = [],
): boolean =>
  commands
    .filter((command) => !shown.includes(command) && !without.includes(command.id))
    .some(({ about, hidden, allowed }) => about === "folder" && !hidden && allowed(context));

function FolderBar({ context, actions, onMenu }: ToolbarProps) {
  useLanguage();
  const prominent = shownIn("folder", context);
  const shown = prominent.length > 0 ? prominent : refresh.filter(({ allowed }) => allowed(context));
  const rest = offersMore(context, shown);
  if (shown.length === 0 && !rest) return null;
  return (
    <div role="toolbar" aria-label={t("explorer.bar.folder")} className="flex min-w-0 items-center gap-2">
      {shown.map((command) => (
        <Act
          key={command.id}
          command={command}
          variant={command === prominent[0] ? "primary" : "quiet"}
          {...{ context, actions }}
        />
      ))}
      {rest && <More onOpen={(at) => onMenu("folder", at)} />}
    </div>
  );
}

/** With something chosen; on a phone it lies at the bottom, under the thumb. */
function SelectionBar({ context, actions, onMenu }: ToolbarProps) {
  useLanguage();
  const { chosen } = context;
  const shown = shownIn("selection", context);
  return (
    <div
      role="toolbar"
      aria-label={t("explorer.bar.selection")}
      data-at-bottom
      className="flex min-w-0 items-center gap-1 max-sm:fixed max-sm:inset-x-0 max-sm:bottom-(--strip) max-sm:z-20 max-sm:border-line max-sm:border-t max-sm:bg-raised max-sm:px-2 max-sm:pt-1.5 max-sm:pb-[max(6px,env(safe-area-inset-bottom))] max-sm:shadow-float"
    >
      <IconButton label={t("explorer.bar.clear")} onClick={() => actions.select({ do: "none" })}>
        <X aria-hidden />
      </IconButton>
      <span role="status" className="mr-1 shrink-0 font-medium tabular-nums max-sm:mr-auto">
        {t("explorer.bar.chosen", { count: chosen.length })}
      </span>
      {shown.map((command, index) => (
        // A phone has room for four; the rest is in the menu behind them.
        <span
          key={command.id}
          className={index > 2 && index < shown.length - 1 && shown.length > 4 ? "max-sm:hidden" : "flex"}
        >
          <Act command={command} variant="plain" compact="lg" {...{ context, actions }} />
        </span>
      ))}
      {chosen.length > 0 && <More onOpen={(at) => onMenu("selection", at)} />}
    </div>
  );
}

interface ActProps {
  readonly command: Command;
  readonly context: CommandContext;
  readonly actions: CommandActions;
  readonly variant: "primary" | "quiet" | "plain";
  /** Below this width only its icon; the menu has the words. */
  readonly compact?: keyof typeof compactLooks | undefined;
}

const compactLooks = {
  sm: {
    button: "max-sm:w-9 max-sm:px-0 pointer-coarse:max-sm:w-11 pointer-coarse:max-sm:px-0",
    words: "max-sm:hidden",
  },
  lg: {
    button: "max-lg:w-9 max-lg:px-0 pointer-coarse:max-lg:w-11 pointer-coarse:max-lg:px-0",
    words: "max-lg:hidden",
  },
} as const;

/** A command as a button. */
export function Act({ command, context, actions, variant, compact }: ActProps) {
  useLanguage();
  const { label, icon: Icon, shortcuts, danger, run } = command;
  const words = t(label);
  const [shortcut] = shortcuts ?? [];
  const title = shortcut ? t("explorer.bar.withKeys", { label: words, keys: shortcutName(shortcut) }) : words;
  const look = danger ? "text-danger not-disabled:hover:bg-danger-soft not-disabled:hover:text-danger" : "";
  return (
    <Button
      variant={variant}
      icon={<Icon aria-hidden />}
      title={title}
      aria-label={words}
      data-command={command.id}
      className={classes(look, compact && compactLooks[compact].button)}
      onClick={() => run(actions, context)}
    >
      <span className={compact && compactLooks[compact].words}>{words}</span>
    </Button>
  );
}

/** Opens the menu of all commands. */
export function More({ onOpen }: { readonly onOpen: (at: DOMRect) => void }) {
  useLanguage();
  const button = useRef<HTMLButtonElement>(null);
  return (
    <IconButton
      ref={button}
      label={t("explorer.bar.more")}
      aria-haspopup="menu"
      onClick={({ currentTarget }) => onOpen(currentTarget.getBoundingClientRect())}
    >
      <EllipsisVertical aria-hidden />
    </IconButton>
  );
}
