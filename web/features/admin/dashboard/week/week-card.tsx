import ChartColumn from "lucide-react/icons/chart-column";
import ChartLine from "lucide-react/icons/chart-line";
import { useState } from "react";
import type { DashboardStats } from "#contract/dashboard";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { browserStorage } from "../../../../lib/storage.ts";
import { IconButton } from "../../../../ui/button.tsx";
import { TitledCard } from "../card.tsx";
import { Chart, type Shape, sentenceOf } from "./chart.tsx";
import { both, busiest, type Day, daysOf, fullDay, sum } from "./week.ts";

const SHAPE = "dashboard chart";

const shapes = [
  { name: "bars", Icon: ChartColumn },
  { name: "lines", Icon: ChartLine },
] as const;

/** What was shared on each of the last seven days, as a chart and as a table for those who cannot see it. */
export function WeekCard({ stats }: { readonly stats: DashboardStats }) {
  const language = useLanguage();
  const [shape, setShape] = useState<Shape>(() => (browserStorage.get(SHAPE) === "lines" ? "lines" : "bars"));
  const [active, setActive] = useState<number>();
  const days = daysOf(stats);
  const shown = active === undefined ? undefined : days[active];
  const choose = (next: Shape) => {
    setShape(next);
    browserStorage.set(SHAPE, next);
  };
  return (
    <TitledCard
      title={t("admin.dashboard.week.title")}
      className="lg:col-span-2"
      tools={
        <fieldset aria-label={t("admin.dashboard.week.shape")} className="-mr-1.5 flex">
          {shapes.map(({ name, Icon }) => (
            <IconButton
              key={name}
              label={t(`admin.dashboard.week.${name}`)}
              aria-pressed={name === shape}
              onClick={() => choose(name)}
            >
              <Icon aria-hidden />
            </IconButton>
          ))}
        </fieldset>
      }
    >
      <div className="mb-3 flex min-h-5 flex-wrap items-center gap-x-4 gap-y-1 text-[13px]">
        <Legend name="texts" />
        <Legend name="files" />
        <span aria-hidden className="ml-auto text-muted tabular-nums">
          {shown ? sentenceOf(shown, fullDay(shown.date, language)) : t("admin.dashboard.week.utc")}
        </span>
      </div>
      <Chart days={days} shape={shape} active={active} onActive={setActive} />
      <Totals days={days} />
      <Table days={days} />
    </TitledCard>
  );
}

const Legend = ({ name }: { readonly name: "texts" | "files" }) => (
  <span className="inline-flex items-center gap-2">
    <span aria-hidden className={`size-2.5 rounded-[3px] ${name === "texts" ? "bg-accent" : "bg-muted"}`} />
    {t(`admin.dashboard.week.${name}`)}
  </span>
);

function Totals({ days }: { readonly days: readonly Day[] }) {
  const language = useLanguage();
  const most = busiest(days);
  const total = (name: "texts" | "files") => sum(days.map((day) => day[name]));
  const facts = [
    {
      name: t("admin.dashboard.week.total"),
      value: `${t("admin.dashboard.week.texts")} ${total("texts")} · ${t("admin.dashboard.week.files")} ${total("files")}`,
    },
    {
      name: t("admin.dashboard.week.busiest"),
      value: most ? fullDay(most.date, language) : t("admin.dashboard.week.none"),
    },
    { name: t("admin.dashboard.week.highest"), value: String(most ? both(most) : 0) },
  ];
  return (
    <dl className="mt-4 grid grid-cols-2 gap-x-4 gap-y-3 border-line border-t pt-4 sm:grid-cols-3">
      {facts.map(({ name, value }) => (
        <div key={name} className="min-w-0">
          <dt className="text-muted text-xs">{name}</dt>
          <dd className="font-medium tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The same figures as a table, out of sight. */
function Table({ days }: { readonly days: readonly Day[] }) {
  const language = useLanguage();
  return (
    // A table is as wide as its words, whatever it is told: its box is what is hidden.
    <div className="sr-only">
      <table>
        <caption>{t("admin.dashboard.week.caption")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("admin.dashboard.week.day")}</th>
            <th scope="col">{t("admin.dashboard.week.texts")}</th>
            <th scope="col">{t("admin.dashboard.week.files")}</th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ date, texts, files }) => (
            <tr key={date}>
              <th scope="row">{fullDay(date, language)}</th>
              <td>{texts}</td>
              <td>{files}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
