import ChevronRight from "lucide-react/icons/chevron-right";
import FileArchive from "lucide-react/icons/file-archive";
import { type RefObject, useLayoutEffect, useRef } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { classes } from "../../lib/classes.ts";
import { shownName } from "../../lib/shown-name.ts";

interface BreadcrumbProps {
  /** The name of the archive. */
  readonly name: string;
  readonly folder: string;
  /** The name of the file that is open in it. */
  readonly file: string | undefined;
  readonly onGo: (folder: string) => void;
  /** Has the focus when somebody has gone on. */
  readonly place: RefObject<HTMLElement | null>;
}

/** The folders of an archive from its root to the one on view, or to the file that is open. */
export function Breadcrumb({ name, folder, file, onGo, place }: BreadcrumbProps) {
  useLanguage();
  const parts = folder === "" ? [] : folder.split("/");
  const steps = [name, ...parts, ...(file === undefined ? [] : [file])];
  const list = useRef<HTMLOListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place has another end
  useLayoutEffect(() => {
    if (list.current) list.current.scrollLeft = list.current.scrollWidth;
  }, [folder, file]);
  return (
    <nav
      ref={place}
      tabIndex={-1}
      aria-label={t("viewer.archive.way")}
      className="min-w-0 flex-1 basis-48 outline-none"
    >
      <ol ref={list} className="flex items-center overflow-x-auto [scrollbar-width:none]">
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: folders may be called alike
          <li key={index} className="flex shrink-0 items-center">
            {index > 0 && <ChevronRight aria-hidden className="size-4 shrink-0 text-muted" />}
            <button
              type="button"
              title={shownName(step)}
              aria-current={index === steps.length - 1 ? "page" : undefined}
              disabled={index === steps.length - 1}
              onClick={() => onGo(parts.slice(0, index).join("/"))}
              className={classes(
                "flex h-9 items-center gap-2 rounded-lg px-2 pointer-coarse:h-11",
                index === steps.length - 1 ? "font-semibold" : "text-muted hover:bg-sunken hover:text-text",
              )}
            >
              {index === 0 && <FileArchive aria-hidden className="size-[18px] shrink-0" />}
              <bdi className={classes("max-w-48 truncate", index === 0 && steps.length > 1 && "max-sm:sr-only")}>
                {shownName(step)}
              </bdi>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
