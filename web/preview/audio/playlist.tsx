import { type RefObject, useEffect, useRef } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { classes } from "../../lib/classes.ts";
import { shownName } from "../../lib/shown-name.ts";
import type { Neighbours } from "../file/neighbours.ts";
import type { MusicTags } from "../music/tags.ts";
import { useTitles } from "../music/use-titles.ts";

interface PlaylistProps {
  readonly list: readonly string[];
  readonly at: number;
  /** What the recording that is on view says of itself. */
  readonly playing: MusicTags | undefined;
  readonly show: Neighbours["show"];
  readonly find: Neighbours["find"];
}

/** The recordings of the folder, in its order, by their titles. */
export function Playlist({ list, at, playing, show, find }: PlaylistProps) {
  useLanguage();
  const place = useRef<HTMLOListElement>(null);
  const current = useRef<HTMLButtonElement>(null);
  const { titles, seen } = useTitles(find);
  useInView(place, list, seen);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one plays
  useEffect(() => {
    // In braces: some browsers answer with a promise, which React would take for a way to clean up.
    current.current?.scrollIntoView?.({ block: "nearest" });
  }, [at]);
  return (
    <ol
      ref={place}
      aria-label={t("viewer.audio.playlist")}
      className="max-h-72 w-full max-w-xl overflow-y-auto rounded-lg border border-line"
    >
      {list.map((filename, index) => {
        const said = (index === at ? playing : undefined) ?? titles.get(filename);
        return (
          <li key={filename} data-at={index} className="border-line border-b last:border-b-0">
            <button
              ref={index === at ? current : undefined}
              type="button"
              aria-current={index === at || undefined}
              title={shownName(filename)}
              onClick={() => show(filename, true)}
              className={classes(
                "flex min-h-9 w-full items-center gap-3 px-3 py-1.5 text-left pointer-coarse:min-h-11",
                index === at ? "bg-accent-soft font-medium text-accent" : "hover:bg-sunken",
              )}
            >
              <span className="w-6 shrink-0 text-right text-[13px] tabular-nums">{index + 1}</span>
              <bdi className="min-w-0 flex-1 truncate">{said?.title ?? shownName(filename)}</bdi>
              {said?.artist && (
                <bdi className={classes("max-w-2/5 truncate text-[13px]", index !== at && "text-muted")}>
                  {said.artist}
                </bdi>
              )}
            </button>
          </li>
        );
      })}
    </ol>
  );
}

/** Tells of each row that comes into view. */
function useInView(
  place: RefObject<HTMLElement | null>,
  list: readonly string[],
  seen: (filename: string) => void,
): void {
  const names = useRef(list);
  names.current = list;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows are watched when there are others
  useEffect(() => {
    const watch = new IntersectionObserver(
      (rows) => {
        for (const { isIntersecting, target } of rows) {
          const name = names.current[Number(target.getAttribute("data-at"))];
          if (isIntersecting && name !== undefined) seen(name);
        }
      },
      { root: place.current },
    );
    for (const row of place.current?.children ?? []) watch.observe(row);
    return () => watch.disconnect();
  }, [place, seen, list.join("\n")]);
}
