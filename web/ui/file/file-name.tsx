import FileWarning from "lucide-react/icons/file-warning";
import type { ReactNode } from "react";
import { hasRawBytes } from "#contract/paths";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { classes } from "../../lib/classes.ts";
import { shownName } from "../../lib/shown-name.ts";

/** Characters at the end that stay when the middle of a name goes. */
const TAIL = 10;

/** Making one takes longer than drawing a row. */
const segmenter = new Intl.Segmenter();

/** Where a name may be cut, so that no letter made of several characters (an emoji, an accent) falls apart. */
function splitName(name: string): readonly [head: string, tail: string] {
  const letters = Array.from(segmenter.segment(name), ({ segment }) => segment);
  return [letters.slice(0, -TAIL).join(""), letters.slice(-TAIL).join("")];
}

interface FileNameProps {
  readonly name: string;
  /** Two are centred, for where there is little room across. */
  readonly lines?: 1 | 2;
}

/**
 * A name on one line, or on two; a long one loses its middle, because its end tells what it is. All of it stands in the page as one piece of
 * text, which can be found and is read once: where it does not fit, it goes to a line below, which is cut off, and generated content takes
 * its place.
 */
export function FileName({ name, lines = 1 }: FileNameProps) {
  const shown = shownName(name);
  return (
    <bdi title={shown} className={classes("flex min-w-0 font-medium", lines === 2 && "w-full justify-center")}>
      {lines === 1 ? <OneLine name={shown} /> : <TwoLines name={shown} />}
      {hasRawBytes(name) && <RawName />}
    </bdi>
  );
}

interface ShownProps {
  /** As it is shown. */
  readonly name: string;
}

function OneLine({ name }: ShownProps) {
  const [head, tail] = splitName(name);
  return (
    <span className="flex h-[1lh] min-w-0 flex-wrap content-start overflow-clip whitespace-pre">
      <span
        aria-hidden
        data-head={head}
        data-tail={tail}
        className={classes(
          "flex h-[1lh] w-0 min-w-0 shrink grow overflow-hidden contain-inline-size",
          // Not `truncate`: that would take the space at the end of it away.
          "before:min-w-0 before:overflow-hidden before:text-ellipsis before:content-[attr(data-head)]",
          "after:shrink-0 after:content-[attr(data-tail)]",
        )}
      />
      <span className="shrink-0 grow-[100000]">{name}</span>
    </span>
  );
}

/** What the end of the first line may leave empty, in em: less than a letter where any may begin the next one, else less than a word. */
const LETTER = 1.5;

/** The width of the longest word of a name in em, guessed high; where the script has no words, that of a letter. */
function longestWord(name: string): number {
  const widthOf = (word: string) => word.length * 0.6 + (word.match(/[A-Z\u0100-\uffff]/g)?.length ?? 0) * 0.4;
  return Math.max(LETTER, ...name.split(/(?<=[\s-])|(?=[\u2e80-\uffff])/u).map(widthOf));
}

function TwoLines({ name }: ShownProps) {
  const [head, tail] = splitName(name);
  return (
    <span className="min-w-0 flex-1 overflow-clip text-center">
      <Fitting
        spare={longestWord(name)}
        className="wrap-anywhere"
        instead={
          <Fitting
            spare={LETTER}
            className="break-all before:content-[attr(data-name)]"
            generated={name}
            instead={
              // What floats stands at the end of the second line, and what is in front of it fills the rest.
              <span className="block h-[2lh] overflow-hidden break-all text-start before:float-end before:h-[1lh] before:content-['']">
                <span
                  data-head={head}
                  data-tail={`…${tail}`}
                  className="before:float-end before:clear-end before:whitespace-pre before:content-[attr(data-tail)] after:content-[attr(data-head)]"
                />
              </span>
            }
          />
        }
      >
        {name}
      </Fitting>
    </span>
  );
}

interface FittingProps {
  /** What the first line may leave empty, in em. */
  readonly spare: number;
  readonly className: string;
  /** What is shown where the text does not fit. */
  readonly instead: ReactNode;
  /** The text as generated content, in place of children. */
  readonly generated?: string;
  readonly children?: string;
}

/**
 * A text on at most two lines, or something else: as long as all of it in one line has room in two lines one behind the other, but for what
 * the first may leave empty. That is what the width of this says, with which its lines wrap.
 */
function Fitting({ spare, className, instead, generated, children }: FittingProps) {
  const line = { width: `min(100%, (100% + ${spare}em) / 2)` };
  return (
    <span
      style={{ width: `max(100%, 200% - ${spare}em)` }}
      className="flex max-h-[2lh] flex-wrap content-start overflow-clip"
    >
      <span aria-hidden className="@container w-0 min-w-0 shrink grow overflow-hidden">
        <span style={line} className="hidden @min-[2px]:block">
          {instead}
        </span>
      </span>
      <span className="shrink-0 grow-[100000]">
        <span style={line} data-name={generated} className={classes("block", className)}>
          {children}
        </span>
      </span>
    </span>
  );
}

/** Says of a name that it is no UTF-8. */
function RawName() {
  useLanguage();
  return (
    <span role="img" aria-label={t("shell.rawName")} title={t("shell.rawName")} className="ml-1.5 shrink-0 self-center">
      <FileWarning aria-hidden className="size-4 text-muted" />
    </span>
  );
}
