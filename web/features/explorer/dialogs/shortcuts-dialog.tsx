import { t, useLanguage, type WordKey } from "../../../i18n/i18n.ts";
import { Dialog } from "../../../ui/overlay/dialog.tsx";
import type { Command, Shortcut } from "../commands/command.ts";
import type { CommandContext } from "../commands/command-context.ts";
import { commands } from "../commands/commands.ts";
import { shortcutName } from "../commands/keys.ts";
import type { Entry } from "../model/entry.ts";

interface ShortcutsDialogProps {
  readonly context: CommandContext;
  readonly onClose: () => void;
}

/** Something that keys do; each of its shortcuts does it. */
interface Line {
  readonly label: Command["label"] | Extract<WordKey, `explorer.shortcuts.${string}`>;
  readonly shortcuts?: readonly Shortcut[] | undefined;
}

const groups = ["go", "choose", "act"] as const;
type Group = (typeof groups)[number];

const keys = (...all: readonly string[]): readonly Shortcut[] => all.map((key) => ({ key }));

/** What is no command: the keys of the list itself. */
const ofList: Readonly<Record<Group, readonly Line[]>> = {
  go: [
    { label: "explorer.shortcuts.step", shortcuts: keys("↑", "↓", "←", "→") },
    { label: "explorer.shortcuts.ends", shortcuts: keys("Home", "End") },
    { label: "explorer.shortcuts.pages", shortcuts: keys("PageUp", "PageDown") },
    { label: "explorer.shortcuts.jump", shortcuts: keys("A–Z") },
  ],
  choose: [
    { label: "explorer.shortcuts.range", shortcuts: keys("↑", "↓").map((one) => ({ ...one, shift: true })) },
    { label: "explorer.shortcuts.toggle", shortcuts: [{ key: " ", mod: true }] },
    { label: "explorer.shortcuts.none", shortcuts: keys("Esc") },
  ],
  act: [{ label: "explorer.shortcuts.menu", shortcuts: [{ key: "F10", shift: true }] }],
};

const groupOf = ({ id }: Command): Group => {
  if (id === "selectAll") return "choose";
  return ["open", "preview", "up", "search", "shortcuts"].includes(id) ? "go" : "act";
};

/** All that keys do in the explorer, for whoever looks at it: nothing that they may not, or that is not there. */
export function ShortcutsDialog({ context, onClose }: ShortcutsDialogProps) {
  useLanguage();
  const known = commandsOf(context);
  return (
    <Dialog title={t("explorer.command.shortcuts")} onClose={onClose}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard */}
      <div tabIndex={0} data-autofocus className="grid gap-4 outline-none">
        {groups.map((group) => (
          <section key={group} aria-label={t(`explorer.shortcuts.${group}`)}>
            <h3 className="mb-1 font-medium text-[13px] text-muted">{t(`explorer.shortcuts.${group}`)}</h3>
            <dl>
              {[...ofList[group], ...known.filter((command) => groupOf(command) === group)].map((line) => (
                <Keys key={line.label} {...line} />
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function Keys({ label, shortcuts = [] }: Line) {
  return (
    <div className="flex items-center justify-between gap-4 border-line border-t py-1.5 first:border-t-0">
      <dt>{t(label)}</dt>
      <dd className="flex shrink-0 gap-1">
        {shortcuts.map(shortcutName).map((name) => (
          <kbd key={name} className="rounded-md border border-line bg-sunken px-1.5 py-0.5 font-sans text-[13px]">
            {name}
          </kbd>
        ))}
      </dd>
    </div>
  );
}

const file: Entry = { name: "a", path: "/a/a", isDirectory: false, type: 0, typeName: "text" };
const folder: Entry = { name: "a", path: "/a/a/", isDirectory: true, type: 1, typeName: "folder" };

/** The commands with keys that can be done in some state of the explorer, as this person may. */
function commandsOf(context: CommandContext): readonly Command[] {
  const states = [file, folder].map((entry): CommandContext => {
    const clip = { verb: "copy", entries: [entry], from: "/" } as const;
    const own = context.byLink ? {} : ({ clip, undoable: "mount_rename" } as const);
    const place = { folder: "/a", base: "/", virtual: false, known: true, count: 2 };
    return { ...context, ...place, ...own, chosen: [entry] };
  });
  return commands.filter(({ shortcuts, allowed }) => shortcuts && states.some(allowed));
}
