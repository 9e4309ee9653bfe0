import ArrowLeft from "lucide-react/icons/arrow-left";
import ChevronDown from "lucide-react/icons/chevron-down";
import Folder from "lucide-react/icons/folder";
import House from "lucide-react/icons/house";
import { useState } from "react";
import { nameOf, parentOf } from "#contract/paths";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { IconButton } from "../../../ui/button.tsx";
import { Skeleton } from "../../../ui/card.tsx";
import { Menu } from "../../../ui/overlay/menu.tsx";
import { BasketButton } from "../basket/basket-button.tsx";
import type { Command } from "../commands/command.ts";
import type { CommandActions } from "../commands/command-actions.ts";
import type { CommandContext } from "../commands/command-context.ts";
import type { Dragging } from "../folder/dragging.ts";
import { SearchButton } from "../search/search.tsx";
import { foldersTo } from "./ancestors.ts";
import { NO_KEYS } from "./phone-items.tsx";
import { Act, More, offersMore, shownIn } from "./toolbar.tsx";

interface PhoneBarProps {
  readonly context: CommandContext;
  readonly actions: CommandActions;
  readonly dragging: Dragging;
  /** It is not known yet what is in the folder, and so not all that can be done. */
  readonly waiting: boolean;
  readonly onMenu: (about: Command["about"], at: DOMRect) => void;
}

/** The bar of a folder on a phone: the way up, what the folder is called, and what is done most; all else is in the menu. */
export function PhoneBar({ context, actions, dragging, waiting, onMenu }: PhoneBarProps) {
  useLanguage();
  const { folder, base, byLink, may } = context;
  const acts = shownIn("folder", context).filter(({ id }) => id !== "newFolder");
  const isPasting = acts.some(({ id }) => id === "paste");
  const looks = may("mount_view");
  const more = looks || offersMore(context, acts, NO_KEYS);
  // The page of a link says above it what it is called.
  const isHead = byLink && folder === base;
  const comes = byLink ? context.mayDownload : may("mount_upload") && folder !== "/";
  const line = isHead ? "flex min-w-0 flex-1 items-center gap-2" : "ml-1 flex items-center gap-1";
  return (
    <div className="flex min-w-0 items-center">
      {isHead ? null : <Title {...{ folder, base, dragging }} go={actions.go} />}
      {byLink || !looks ? null : (
        <>
          {isPasting ? null : <SearchButton />}
          <BasketButton />
        </>
      )}
      {waiting && looks ? (
        <span className={line}>
          {comes ? <Skeleton className={isHead ? "h-9 w-36 pointer-coarse:h-11" : square} /> : null}
          <Skeleton className={square} />
        </span>
      ) : acts.length > 0 || more ? (
        <div role="toolbar" aria-label={t("explorer.bar.folder")} className={line}>
          {acts.map((command, index) => (
            <Act
              key={command.id}
              command={command}
              variant={index === 0 ? "primary" : "quiet"}
              compact={isHead && index === 0 ? undefined : "sm"}
              {...{ context, actions }}
            />
          ))}
          {more ? <More onOpen={(at) => onMenu("folder", at)} /> : null}
        </div>
      ) : null}
    </div>
  );
}

/** The size of a button with an icon alone. */
const square = "size-9 pointer-coarse:size-11";

interface TitleProps extends Pick<PhoneBarProps, "dragging"> {
  readonly folder: string;
  readonly base: string;
  readonly go: (folder: string) => void;
}

const nameAt = (path: string): string => (path === "/" ? t("explorer.path.root") : shownName(nameOf(path)));

/** What the folder is called, with the way up; a press on it shows all folders above. */
function Title({ folder, base, dragging, go }: TitleProps) {
  const [at, setAt] = useState<DOMRect>();
  const name = nameAt(folder);
  if (folder === base)
    return (
      <p className="flex h-9 min-w-0 flex-1 items-center font-semibold text-base pointer-coarse:h-11">
        <bdi className="truncate">{name}</bdi>
      </p>
    );
  const up = parentOf(folder);
  const items = foldersTo(base, up).map((path) => ({
    id: path,
    label: nameAt(path),
    icon: path === base ? <House aria-hidden /> : <Folder aria-hidden />,
    group: 1,
    run: () => go(path),
  }));
  return (
    <nav aria-label={t("explorer.path.label")} className="-ml-2 flex min-w-0 flex-1 items-center">
      <span {...dragging.target(up === "/" ? undefined : up)}>
        <IconButton label={t("explorer.command.up")} onClick={() => go(up)}>
          <ArrowLeft aria-hidden />
        </IconButton>
      </span>
      <button
        type="button"
        aria-haspopup="menu"
        title={name}
        onClick={({ currentTarget }) => setAt(currentTarget.getBoundingClientRect())}
        className="flex h-9 min-w-0 items-center gap-1 rounded-lg px-1 font-semibold text-base hover:bg-sunken pointer-coarse:h-11"
      >
        <bdi className="truncate">{name}</bdi>
        <ChevronDown aria-hidden className="size-4 shrink-0 text-muted" />
      </button>
      {at && <Menu label={t("explorer.path.label")} {...{ items, at }} onClose={() => setAt(undefined)} />}
    </nav>
  );
}
