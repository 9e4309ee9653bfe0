import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { axisNumber, type Day, fullDay, niceTop, weekday } from "./week.ts";

export type Shape = "bars" | "lines";

interface ChartProps {
  readonly days: readonly Day[];
  readonly shape: Shape;
  /** The day whose values are told; undefined for none. */
  readonly active: number | undefined;
  readonly onActive: (index: number | undefined) => void;
}

const TOP = 10;
const BOTTOM = 26;
const LEFT = 30;
const series = ["texts", "files"] as const;
const colours = { texts: "var(--accent)", files: "var(--muted)" } as const;

/**
 * Texts and files of a week. The drawing is for the eye; buttons above it, one for each day, are for pointer and keyboard: the
 * arrow keys go from day to day.
 */
export function Chart({ days, shape, active, onActive }: ChartProps) {
  const language = useLanguage();
  const box = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(box);
  const top = niceTop(Math.max(...days.flatMap(({ texts, files }) => [texts, files])));
  const column = (width - LEFT) / days.length;
  const y = (value: number) => TOP + (height - TOP - BOTTOM) * (1 - value / top);
  const centre = (index: number) => LEFT + column * (index + 0.5);

  const walk = (event: KeyboardEvent) => {
    const to = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const buttons = Array.from(box.current?.querySelectorAll("button") ?? []);
    buttons[Math.min(days.length - 1, Math.max(0, (active ?? days.length - 1) + to))]?.focus();
  };

  return (
    <div ref={box} className="relative min-h-[196px] flex-1">
      {/* Until its size is known, or known anew, the drawing is scaled: it never widens the page. */}
      <svg
        aria-hidden
        viewBox={`0 0 ${width} ${height}`}
        className="absolute inset-0 size-full select-none overflow-visible"
      >
        {active !== undefined && (
          <rect
            x={LEFT + column * active}
            y={0}
            width={column}
            height={height - BOTTOM + 4}
            rx={8}
            fill="var(--sunken)"
          />
        )}
        {[0, top / 2, top].map((value) => (
          <g key={value}>
            <line
              x1={LEFT}
              x2={width}
              y1={y(value)}
              y2={y(value)}
              stroke="var(--line)"
              strokeDasharray={value ? "3 4" : ""}
            />
            <text x={LEFT - 8} y={y(value) + 4} textAnchor="end" className="fill-muted text-[11px] tabular-nums">
              {axisNumber(value, language)}
            </text>
          </g>
        ))}
        {shape === "bars" ? <Bars {...{ days, column, centre, y }} /> : <Lines {...{ days, centre, y }} />}
        {days.map(({ date }, index) => (
          <text key={date} x={centre(index)} y={height - 6} textAnchor="middle" className="fill-muted text-[11px]">
            {index === days.length - 1 ? t("admin.dashboard.week.today") : weekday(date, language)}
          </text>
        ))}
      </svg>
      <fieldset
        aria-label={t("admin.dashboard.week.days")}
        onKeyDown={walk}
        onPointerLeave={() => onActive(undefined)}
        className="absolute inset-y-0 right-0 flex"
        style={{ left: LEFT }}
      >
        {days.map((day, index) => (
          <button
            key={day.date}
            type="button"
            tabIndex={index === (active ?? days.length - 1) ? 0 : -1}
            aria-label={sentenceOf(day, fullDay(day.date, language))}
            onFocus={() => onActive(index)}
            onBlur={() => onActive(undefined)}
            onPointerEnter={() => onActive(index)}
            onClick={() => onActive(index)}
            className="h-full flex-1 cursor-default rounded-lg"
          />
        ))}
      </fieldset>
    </div>
  );
}

/** A day's values in one sentence. */
export const sentenceOf = ({ texts, files }: Day, day: string): string =>
  t("admin.dashboard.week.value", { day, texts, files });

interface Scale {
  readonly days: readonly Day[];
  /** The middle of a day's column. */
  readonly centre: (index: number) => number;
  /** How high a value is. */
  readonly y: (value: number) => number;
}

function Bars({ days, column, centre, y }: Scale & { readonly column: number }) {
  const width = Math.min(16, column * 0.28);
  return days.map((day, index) =>
    series.map((name, at) => {
      const height = y(0) - y(day[name]);
      const x = centre(index) + (at === 0 ? -width - 1.5 : 1.5);
      const radius = Math.min(4, width / 2, height);
      return (
        <path
          key={`${day.date} ${name}`}
          fill={colours[name]}
          d={`M${x} ${y(0)}v${-height + radius}q0 ${-radius} ${radius} ${-radius}h${width - 2 * radius}q${radius} 0 ${radius} ${radius}v${height - radius}z`}
        />
      );
    }),
  );
}

function Lines({ days, centre, y }: Scale) {
  return series.toReversed().map((name) => (
    <g key={name}>
      <polyline
        points={days.map((day, index) => `${centre(index)},${y(day[name])}`).join(" ")}
        fill="none"
        stroke={colours[name]}
        strokeWidth={2}
        strokeLinejoin="round"
        strokeLinecap="round"
        strokeDasharray={name === "files" ? "5 5" : ""}
      />
      {days.map((day, index) => (
        <circle
          key={day.date}
          cx={centre(index)}
          cy={y(day[name])}
          r={3.5}
          fill={colours[name]}
          stroke="var(--raised)"
          strokeWidth={1.5}
        />
      ))}
    </g>
  ));
}

/** The size that an element has got, in pixels. */
function useSize(ref: RefObject<HTMLElement | null>) {
  const [size, setSize] = useState({ width: 320, height: 196 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () =>
      setSize({ width: Math.max(240, element.clientWidth), height: Math.max(196, element.clientHeight) });
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    return () => resized.disconnect();
  }, [ref]);
  return size;
}
