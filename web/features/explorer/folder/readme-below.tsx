import ArrowDown from "lucide-react/icons/arrow-down";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { useCode } from "../../../page/code.ts";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import type { Entry } from "../model/entry.ts";
import type { FolderState } from "./folder-state.ts";

/** Names of what introduces a folder, in small letters: the first that is there is shown. */
const NAMES = ["readme.md", "readme", "readme.txt", "index.md"];
/** The id of the place below the list. */
const PLACE = "folder-readme";

/**
 * The file that introduces a folder, where its mount wants that shown. None while the rest of a long listing is on its way: a better
 * one may be in it. Of two whose names differ in their letters' case only the one in capitals counts.
 */
export function readmeOf({ listing, all }: Pick<FolderState, "listing" | "all">): Entry | undefined {
  if (!listing.readme || listing.arriving) return undefined;
  let best: Entry | undefined;
  let rank = NAMES.length;
  for (const entry of all) {
    if (entry.isDirectory || entry.name.length > 10) continue;
    const at = NAMES.indexOf(entry.name.toLowerCase());
    if (at === -1 || at > rank || (at === rank && best && best.name < entry.name)) continue;
    best = entry;
    rank = at;
  }
  return best;
}

interface ReadmeBelowProps {
  readonly file: Entry;
  readonly folder: string;
  /** The caller's base path. */
  readonly base: string;
}

/** The README of a folder below its list; what reads it is loaded when there is one. */
export function ReadmeBelow(props: ReadmeBelowProps) {
  useLanguage();
  const name = shownName(props.file.name);
  const { data: FolderReadme, error, again } = useCode("README of a folder", loadReadme);
  return (
    // What is loading takes the height of a window, so that a scroll to it arrives.
    <section id={PLACE} tabIndex={-1} aria-label={name} className="border-line border-t outline-none">
      {FolderReadme ? (
        <FolderReadme {...props} />
      ) : error ? (
        <Notice tone="plain" action={<Button onClick={() => void again(false)}>{t("shell.actions.retry")}</Button>}>
          {t("explorer.readme.failed", { name })}
        </Notice>
      ) : null}
    </section>
  );
}

async function loadReadme() {
  const { loadWords } = await import("../../../i18n/i18n.ts");
  return (await Promise.all([import("../readme/folder-readme.tsx"), loadWords("reading")]))[0].FolderReadme;
}

/** Leads past the list to what stands below it. */
export function ReadmeJump({ name }: { readonly name: string }) {
  useLanguage();
  const jump = () => {
    const place = document.getElementById(PLACE);
    place?.scrollIntoView({ block: "start" });
    place?.focus({ preventScroll: true });
  };
  return (
    <button
      type="button"
      onClick={jump}
      className="ml-auto flex min-w-0 items-center gap-1 rounded py-1.5 hover:text-text pointer-coarse:min-h-11"
    >
      <span className="truncate">{t("explorer.readme.jump", { name: shownName(name) })}</span>
      <ArrowDown aria-hidden className="size-3.5 shrink-0" />
    </button>
  );
}
