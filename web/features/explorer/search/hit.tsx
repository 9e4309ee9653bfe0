import Copy from "lucide-react/icons/copy";
import { formatBytes } from "#contract/format-bytes";
import type { FsHit } from "#contract/fs/fs";
import { parentOf } from "#contract/paths";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { bare } from "../../../lib/folder-path.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Link } from "../../../ui/link.tsx";
import { EntryLook } from "../folder/entry-thumbnail.tsx";
import { addressOf } from "../model/address.ts";

interface HitProps {
  readonly hit: FsHit;
  readonly query: string;
  readonly onOpen: () => void;
}

/** One file or folder that was found: leads to where it is, and gives its path. */
export function Hit({ hit, query, onOpen }: HitProps) {
  const language = useLanguage();
  const { name, path, isDirectory, size } = hit;
  const folder = parentOf(bare(path));
  const to = isDirectory ? addressOf(bare(path)) : addressOf(folder, name);
  return (
    <li className="flex items-center gap-1 rounded-lg hover:bg-sunken">
      <Link
        to={to}
        data-hit
        onClick={onOpen}
        className="flex min-h-12 min-w-0 flex-1 items-center gap-3 rounded-lg px-2 py-1"
      >
        <EntryLook entry={hit} className="size-9" icon="size-5" />
        <span className="grid min-w-0">
          <bdi className="wrap-anywhere line-clamp-2 font-medium">
            {stretchesOf(shownName(name), query).map(({ text, found }, index) =>
              found ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: stretches have no other name
                <mark key={index} className="rounded-sm bg-accent-soft text-accent">
                  {text}
                </mark>
              ) : (
                text
              ),
            )}
          </bdi>
          <span className="truncate text-[13px] text-muted">
            <bdi>{folder}</bdi>
            {isDirectory || size === undefined ? "" : ` · ${formatBytes(size, language)}`}
          </span>
        </span>
      </Link>
      <CopyButton iconOnly icon={<Copy aria-hidden />} text={bare(path)} label={t("search.copyPath")} />
    </li>
  );
}

/** A stretch of a name, and whether it is what was looked for. */
interface Stretch {
  readonly text: string;
  readonly found: boolean;
}

/** A name in stretches: those that one of the words of a search names are found, in whatever case. */
export function stretchesOf(name: string, query: string): Stretch[] {
  const words = query.trim().split(/\s+/).filter(Boolean).map(escaped);
  if (words.length === 0) return [{ text: name, found: false }];
  // Longer words first: of two that begin alike the longer one is what was meant.
  const pattern = new RegExp(`(${words.toSorted((one, other) => other.length - one.length).join("|")})`, "giu");
  return name
    .split(pattern)
    .map((text, index) => ({ text, found: index % 2 === 1 }))
    .filter(({ text }) => text !== "");
}

const escaped = (word: string): string => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
