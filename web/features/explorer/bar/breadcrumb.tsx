import ChevronRight from "lucide-react/icons/chevron-right";
import House from "lucide-react/icons/house";
import { useLayoutEffect, useRef } from "react";
import { nameOf } from "#contract/paths";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { classes } from "../../../lib/classes.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { Link } from "../../../ui/link.tsx";
import type { Dragging } from "../folder/dragging.ts";
import { useTree } from "../tree.ts";
import { foldersTo } from "./ancestors.ts";

interface BreadcrumbProps {
  readonly folder: string;
  /** Where the way begins: nothing above it may be seen. */
  readonly base: string;
  readonly dragging: Dragging;
}

/** Where somebody is, and the way back up; what is dragged can be dropped on it. */
export function Breadcrumb({ folder, base, dragging }: BreadcrumbProps) {
  useLanguage();
  const { addressOf } = useTree();
  const list = useRef<HTMLOListElement>(null);
  const way = foldersTo(base, folder);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another folder has another end
  useLayoutEffect(() => {
    if (list.current) list.current.scrollLeft = list.current.scrollWidth;
  }, [folder]);
  return (
    <nav aria-label={t("explorer.path.label")} className="@container min-w-0 flex-1">
      <ol ref={list} className="flex items-center overflow-x-auto [scrollbar-width:none]">
        {way.map((path, index) => {
          const last = index === way.length - 1;
          const name = path === "/" ? t("explorer.path.root") : shownName(nameOf(path));
          return (
            <li
              key={path}
              className="flex shrink-0 items-center"
              {...dragging.target(path === "/" || last ? undefined : path)}
            >
              {index > 0 && <ChevronRight aria-hidden className="size-4 shrink-0 text-muted" />}
              <Link
                to={addressOf(path)}
                aria-current={last ? "page" : undefined}
                title={name}
                draggable={false}
                className={classes(
                  "flex h-9 items-center gap-2 rounded-lg px-2 transition-colors hover:bg-sunken pointer-coarse:h-11",
                  last ? "font-semibold" : "text-muted hover:text-text",
                  dragging.over === path && "bg-accent-soft text-accent",
                )}
              >
                {index === 0 && <House aria-hidden className="size-[18px] shrink-0" />}
                {index > 0 || path !== "/" ? (
                  <bdi className="max-w-[min(16rem,calc(100cqw-1rem))] truncate">{name}</bdi>
                ) : (
                  <span className={last ? undefined : "max-sm:sr-only"}>{name}</span>
                )}
              </Link>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
