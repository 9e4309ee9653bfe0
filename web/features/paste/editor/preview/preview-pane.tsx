import { type ReactNode, type RefObject, useDeferredValue, useEffect, useState } from "react";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { useSettled } from "../../../../lib/use-settled.ts";
import { useCode } from "../../../../page/code.ts";
import type { WrittenHeading } from "../../../../preview/markdown/outline.ts";
import { Skeleton } from "../../../../ui/card.tsx";
import type { PreviewWidth } from "../mode.ts";

/** How long a text has to rest before it is rendered, in milliseconds: long ones take tens of them. */
const restOf = (characters: number): number => (characters < 5000 ? 0 : characters < 50_000 ? 150 : 500);

interface PreviewPaneProps {
  readonly text: string;
  readonly width: PreviewWidth;
  readonly onHeadings: (headings: readonly WrittenHeading[]) => void;
  readonly ref: RefObject<HTMLDivElement | null>;
}

/** What the text becomes, rendered by the reading page's own Markdown. */
export function PreviewPane({ text, width, onHeadings, ref }: PreviewPaneProps) {
  useLanguage();
  const rest = restOf(text.length);
  const rested = useSettled(text, rest);
  const later = useDeferredValue(rest === 0 ? text : rested);
  const { data } = useCode(
    "reading Markdown",
    async () => (await import("../../../../preview/markdown/markdown-view.tsx")).MarkdownView,
  );
  const MarkdownView = data;
  return (
    <section
      ref={ref}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
      tabIndex={0}
      aria-label={t("editing.preview")}
      className="h-full min-h-0 min-w-0 flex-1 overflow-y-auto px-4 py-5 outline-none focus-visible:ring-2 focus-visible:ring-accent focus-visible:ring-inset sm:px-8"
    >
      <Device width={width} pane={ref}>
        {text.trim() === "" ? (
          <p className="text-muted">{t("editing.previewEmpty")}</p>
        ) : MarkdownView ? (
          <MarkdownView text={later} onHeadings={onHeadings} beside />
        ) : (
          <div className="grid gap-4 pt-2">
            <Skeleton className="h-4 w-11/12" />
            <Skeleton className="h-4 w-3/4" />
          </div>
        )}
      </Device>
    </section>
  );
}

/** Widths of the devices that texts are shown as on, in pixels of CSS. */
const WIDTHS = { tablet: 768, phone: 390 } as const;

interface DeviceProps {
  readonly width: PreviewWidth;
  readonly pane: RefObject<HTMLElement | null>;
  readonly children: ReactNode;
}

/** The column that a text is read in; within a frame that of another device, made smaller where there is no room for it. */
function Device({ width, pane, children }: DeviceProps) {
  const [room, setRoom] = useState(Number.POSITIVE_INFINITY);
  useEffect(() => {
    const element = pane.current;
    if (!element || width === "desk") return;
    const measure = () => {
      const { paddingLeft, paddingRight } = getComputedStyle(element);
      setRoom(element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight));
    };
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    return () => resized.disconnect();
  }, [pane, width]);
  if (width === "desk") return <div className="mx-auto max-w-[680px]">{children}</div>;
  const wanted = WIDTHS[width];
  return (
    <div
      className="mx-auto min-h-full rounded-xl border border-line px-4 py-5 shadow-raised"
      style={{ width: wanted, zoom: Math.min(1, room / wanted) }}
    >
      <div className="mx-auto max-w-[680px]">{children}</div>
    </div>
  );
}
