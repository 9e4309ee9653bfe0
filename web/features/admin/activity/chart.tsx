import { type ActivityDay, activityEvents } from "#contract/activity";
import { t, useLanguage } from "../../../i18n/i18n.ts";

const [COLUMN, GAP, HEIGHT] = [10, 3, 72];
/** A day with anything has at least a line. */
const LEAST = 2;

const usedOn = ({ opened, downloaded, uploaded }: ActivityDay): number => opened + downloaded + uploaded;

/** How often a subject was used on each of thirty days, with what was refused above it. A table says the same to who cannot see it. */
export function ActivityChart({ days }: { readonly days: readonly ActivityDay[] }) {
  useLanguage();
  const top = Math.max(1, ...days.map((day) => usedOn(day) + day.refused));
  const high = (count: number) => (count === 0 ? 0 : Math.max(LEAST, (count / top) * HEIGHT));
  return (
    <figure className="rounded-lg border border-line p-3.5">
      <svg
        aria-hidden
        viewBox={`0 0 ${days.length * COLUMN} ${HEIGHT + 1}`}
        preserveAspectRatio="none"
        className="h-[73px] w-full"
      >
        {days.map((day, index) => {
          const [used, refused] = [high(usedOn(day)), high(day.refused)];
          const [x, width] = [index * COLUMN, COLUMN - GAP];
          return (
            <g key={day.day}>
              <title>{sentenceOf(day)}</title>
              <rect x={x} y={0} width={COLUMN} height={HEIGHT} fill="transparent" />
              <rect {...{ x, width }} y={HEIGHT - used} height={used} fill="var(--accent)" />
              <rect
                {...{ x, width }}
                y={HEIGHT - used - refused}
                height={refused}
                fill="var(--danger)"
                opacity={0.55}
              />
            </g>
          );
        })}
        <rect x={0} y={HEIGHT} width={days.length * COLUMN} height={1} fill="var(--line)" />
      </svg>
      <figcaption className="mt-2 text-[13px] text-muted">{sumOf(days)}</figcaption>
      <DayTable days={days.filter((day) => usedOn(day) + day.refused > 0)} />
    </figure>
  );
}

/** What happened, and how often: "3 openings · 1 download". */
const countsIn = (day: Omit<ActivityDay, "day">): string =>
  activityEvents
    .filter((event) => day[event] > 0)
    .map((event) => t(`admin.activity.counts.${event}`, { count: day[event] }))
    .join(" · ");

const sentenceOf = (day: ActivityDay): string => `${day.day}: ${countsIn(day) || t("admin.activity.nothing")}`;

function sumOf(days: readonly ActivityDay[]): string {
  const sum = { opened: 0, downloaded: 0, uploaded: 0, refused: 0 };
  for (const day of days) for (const event of activityEvents) sum[event] += day[event];
  return t("admin.activity.lately", { counts: countsIn(sum) || t("admin.activity.nothing") });
}

const DayTable = ({ days }: { readonly days: readonly ActivityDay[] }) => (
  // A table takes the width of its words whatever it is told, and would widen the sheet.
  <div className="sr-only">
    <table>
      <caption>{t("admin.activity.month")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("admin.activity.day")}</th>
          {activityEvents.map((event) => (
            <th key={event} scope="col">
              {t(`admin.activity.events.${event}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map((day) => (
          <tr key={day.day}>
            <th scope="row">{day.day}</th>
            {activityEvents.map((event) => (
              <td key={event}>{day[event]}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
