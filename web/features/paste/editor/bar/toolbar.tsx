import Plus from "lucide-react/icons/plus";
import { type KeyboardEvent, type MouseEvent, type RefObject, useState } from "react";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { keyName } from "../../../../lib/keys.ts";
import { IconButton } from "../../../../ui/button.tsx";
import { Menu } from "../../../../ui/overlay/menu.tsx";
import { EmojiButton } from "../emoji/emoji-button.tsx";
import { type Format, inserted, lines } from "../formats.ts";
import type { EditorSurface } from "../surface/surface.ts";
import { moreTools, type Tool, tools } from "./tools.ts";

interface ToolbarProps {
  readonly surface: RefObject<EditorSurface | null>;
  readonly onPicture: () => void;
  readonly onHelp: () => void;
}

/** The buttons of the toolbar, without the one that opens the menu behind them. */
const buttons = tools.flat();

/** The buttons that write Markdown, and a menu of what is wanted less often. One of them is in the tab order; arrows lead to the others. */
export function Toolbar({ surface, onPicture, onHelp }: ToolbarProps) {
  useLanguage();
  const [current, setCurrent] = useState(0);
  const [headings, setHeadings] = useState<DOMRect>();
  const [more, setMore] = useState<DOMRect>();
  const use = (tool: Tool, button?: HTMLElement) => {
    if ("format" in tool) surface.current?.edit(tool.format);
    else if (tool.act === "picture") onPicture();
    else if (tool.act === "help") onHelp();
    else if (tool.act === "heading") setHeadings(button?.getBoundingClientRect());
    else if (tool.act !== "emoji") surface.current?.[tool.act]();
  };
  const at = (index: number) => ({
    tabIndex: index === current ? 0 : -1,
    // The text keeps the focus, and a phone its keyboard.
    onMouseDown: (event: MouseEvent) => event.preventDefault(),
    onFocus: () => setCurrent(index),
    className: "size-8",
  });
  return (
    <div
      role="toolbar"
      aria-label={t("editing.tools")}
      className="flex min-h-11 shrink-0 items-center border-line border-b px-2 [scrollbar-width:none] max-sm:overflow-x-auto max-sm:pr-8 max-sm:[mask-image:linear-gradient(to_right,#000_calc(100%-40px),transparent)] sm:flex-wrap sm:px-5"
      onKeyDown={(event) => walk(event, current, setCurrent)}
    >
      {tools.map((group) => (
        <div
          key={group[0]?.id}
          className="flex items-center not-first:ml-1 not-first:border-line not-first:border-l not-first:pl-1"
        >
          {group.map((tool) => {
            const keys = tool.key ? ` (${keyName(tool.key)})` : "";
            const button = {
              label: t(tool.id),
              title: t(tool.id) + keys,
              ...at(buttons.indexOf(tool)),
            };
            if ("act" in tool && tool.act === "emoji")
              return (
                <EmojiButton
                  key={tool.id}
                  {...button}
                  onMouseDown={(event) => {
                    event.preventDefault();
                    // Its panel gives the focus back to where it was; on a phone the keyboard stays away.
                    if (window.matchMedia("(pointer: fine)").matches) surface.current?.focus();
                  }}
                  onPick={(sign) => surface.current?.edit(inserted(sign))}
                />
              );
            return (
              <IconButton
                key={tool.id}
                {...button}
                aria-haspopup={"act" in tool && tool.act === "heading" ? "menu" : undefined}
                onClick={(event) => use(tool, event.currentTarget)}
              >
                <tool.Icon aria-hidden />
              </IconButton>
            );
          })}
        </div>
      ))}
      <IconButton
        label={t("editing.moreTools")}
        {...at(buttons.length)}
        aria-haspopup="menu"
        onClick={(event) => setMore(event.currentTarget.getBoundingClientRect())}
      >
        <Plus aria-hidden />
      </IconButton>
      {more ? <MoreTools at={more} onChoose={use} onClose={() => setMore(undefined)} /> : null}
      {headings ? (
        <HeadingMenu
          at={headings}
          onChoose={(format) => surface.current?.edit(format)}
          onClose={() => setHeadings(undefined)}
        />
      ) : null}
    </div>
  );
}

interface MoreToolsProps {
  readonly at: DOMRect;
  readonly onChoose: (tool: Tool) => void;
  readonly onClose: () => void;
}

function MoreTools({ at, onChoose, onClose }: MoreToolsProps) {
  useLanguage();
  const items = moreTools.flatMap((group, index) =>
    group.map((tool) => ({
      id: tool.id,
      label: t(tool.id),
      icon: <tool.Icon aria-hidden />,
      keys: tool.key && keyName(tool.key),
      group: index,
      run: () => onChoose(tool),
    })),
  );
  const label = t("editing.moreTools");
  return <Menu label={label} title={label} items={items} at={at} onClose={onClose} />;
}

interface HeadingMenuProps {
  readonly at: DOMRect;
  readonly onChoose: (format: Format) => void;
  readonly onClose: () => void;
}

function HeadingMenu({ at, onChoose, onClose }: HeadingMenuProps) {
  useLanguage();
  const items = ([1, 2, 3, 4, 5, 6] as const).map((level) => ({
    id: String(level),
    label: t("editing.tool.headingOf", { level }),
    icon: <span className="w-6 font-mono text-muted text-xs">H{level}</span>,
    group: 0,
    run: () => onChoose(lines(`h${level}`)),
  }));
  return (
    <Menu label={t("editing.tool.heading")} title={t("editing.tool.heading")} items={items} at={at} onClose={onClose} />
  );
}

/** Arrows, Home and End lead through the buttons. */
function walk(event: KeyboardEvent<HTMLElement>, at: number, go: (index: number) => void): void {
  const last = buttons.length;
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: last }[event.key];
  if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const index = Math.max(0, Math.min(last, to));
  go(index);
  event.currentTarget.querySelectorAll("button")[index]?.focus();
}
