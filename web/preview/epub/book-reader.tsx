import AArrowDown from "lucide-react/icons/a-arrow-down";
import AArrowUp from "lucide-react/icons/a-arrow-up";
import ChevronLeft from "lucide-react/icons/chevron-left";
import ChevronRight from "lucide-react/icons/chevron-right";
import ListTree from "lucide-react/icons/list-tree";
import { useEffect, useState } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { IconButton } from "../../ui/button.tsx";
import { Frame } from "../file/frame.tsx";
import { NoPreview } from "../file/no-preview.tsx";
import { ReadingSkeleton } from "../file/reading-skeleton.tsx";
import { useFromSeal } from "../sealed/from-seal.ts";
import { BookFrame } from "./book-frame.tsx";
import { type Chapter, readChapter } from "./chapter.ts";
import type { TakeFile } from "./epub.ts";
import type { Book } from "./read-book.ts";
import { placeIn, type ReadingPlace, remember, SIZES, type Target } from "./reading-place.ts";

interface BookReaderProps {
  readonly book: Book;
  readonly take: TakeFile;
  readonly name: string;
}

/** A book that was opened, where it was left. */
export function BookReader({ book, take, name }: BookReaderProps) {
  useLanguage();
  const isSealed = useFromSeal();
  const keep = (place: ReadingPlace) => {
    if (!isSealed) remember(book.id, place);
  };
  const [first] = useState(() => placeIn(book.id));
  const [size, setSize] = useState(first.size);
  const [open, setOpen] = useState(false);
  const count = book.chapters.length;
  const [target, setTarget] = useState<Target>({
    chapter: Math.min(first.chapter, count - 1),
    part: "",
    passed: first.passed,
  });
  const chapter = useChapter(take, book, target.chapter);
  const go = (to: number, part = "") => {
    if (to < 0 || to >= count) return;
    setOpen(false);
    setTarget({ chapter: to, part, passed: 0 });
    keep({ chapter: to, passed: 0, size });
  };
  const follow = (path: string, part: string) => go(book.chapters.indexOf(path), part);
  const onKey = (key: string): boolean => {
    const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
    if (step !== 0) go(target.chapter + (book.isFromRight ? -step : step));
    return step !== 0;
  };
  const resize = (by: number) => {
    setSize(size + by);
    keep({ chapter: target.chapter, passed: target.passed, size: size + by });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its buttons do the same
    <div onKeyDown={(event) => onKey(event.key) && event.preventDefault()} className="min-w-0">
      <Frame label={t("file.view.tools")} tools={<Tools {...{ book, target, size, open, setOpen, go, resize }} />}>
        {open ? <Contents book={book} onFollow={follow} /> : null}
        {chapter === "broken" ? (
          <NoPreview text={t("viewer.book.chapter")} />
        ) : chapter ? (
          <BookFrame
            {...{ chapter, target, size, name, onKey, onFollow: follow }}
            onPassed={(passed) => keep({ chapter: target.chapter, passed, size })}
          />
        ) : (
          <ReadingSkeleton />
        )}
      </Frame>
    </div>
  );
}

interface ToolsProps extends Pick<BookReaderProps, "book"> {
  readonly target: Target;
  readonly size: number;
  readonly open: boolean;
  readonly setOpen: (open: boolean) => void;
  readonly go: (chapter: number) => void;
  readonly resize: (by: number) => void;
}

function Tools({ book, target: { chapter }, size, open, setOpen, go, resize }: ToolsProps) {
  const count = book.chapters.length;
  const [previous, next] = book.isFromRight ? [ChevronRight, ChevronLeft] : [ChevronLeft, ChevronRight];
  const step = (label: string, by: number, Icon: typeof previous) => (
    <IconButton label={label} disabled={chapter + by < 0 || chapter + by >= count} onClick={() => go(chapter + by)}>
      <Icon aria-hidden />
    </IconButton>
  );
  return (
    <>
      {book.contents.length > 0 ? (
        <IconButton label={t("viewer.book.contents")} aria-expanded={open} onClick={() => setOpen(!open)}>
          <ListTree aria-hidden />
        </IconButton>
      ) : null}
      <span className="ml-auto" />
      <IconButton label={t("viewer.book.smaller")} disabled={size <= SIZES.least} onClick={() => resize(-SIZES.step)}>
        <AArrowDown aria-hidden />
      </IconButton>
      <IconButton label={t("viewer.book.larger")} disabled={size >= SIZES.most} onClick={() => resize(SIZES.step)}>
        <AArrowUp aria-hidden />
      </IconButton>
      <span className="flex flex-row items-center gap-1" dir={book.isFromRight ? "rtl" : "ltr"}>
        {step(t("viewer.book.previous"), -1, previous)}
        <span role="status" className="whitespace-nowrap text-[13px] text-muted tabular-nums">
          {t("viewer.book.place", { number: chapter + 1, count })}
        </span>
        {step(t("viewer.book.next"), 1, next)}
      </span>
    </>
  );
}

interface ContentsProps extends Pick<BookReaderProps, "book"> {
  readonly onFollow: (path: string, part: string) => void;
}

const Contents = ({ book, onFollow }: ContentsProps) => (
  <nav
    aria-label={t("viewer.book.contents")}
    className="max-h-[45dvh] overflow-y-auto border-line border-b bg-sunken p-2"
  >
    <ul>
      {book.contents.map(({ label, path, part, depth }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a book keeps its contents
        <li key={index} style={{ paddingInlineStart: depth * 16 }}>
          <button
            type="button"
            dir="auto"
            onClick={() => onFollow(path, part)}
            className="w-full rounded-lg px-2 py-1.5 text-start hover:bg-raised pointer-coarse:min-h-11"
          >
            {label}
          </button>
        </li>
      ))}
    </ul>
  </nav>
);

/** The chapter at a place of the book; undefined while it is read. */
function useChapter(take: TakeFile, book: Book, at: number): Chapter | "broken" | undefined {
  const [state, setState] = useState<{ readonly at: number; readonly chapter: Chapter | "broken" }>();
  useEffect(() => {
    let left = false;
    let shown: Chapter | undefined;
    readChapter(take, book, book.chapters[at] ?? "").then(
      (chapter) => {
        shown = chapter;
        if (left) chapter.close();
        else setState({ at, chapter });
      },
      () => !left && setState({ at, chapter: "broken" }),
    );
    return () => {
      left = true;
      shown?.close();
    };
  }, [take, book, at]);
  return state?.at === at ? state.chapter : undefined;
}
