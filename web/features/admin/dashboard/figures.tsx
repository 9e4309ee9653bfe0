import Database from "lucide-react/icons/database";
import File from "lucide-react/icons/file";
import FileText from "lucide-react/icons/file-text";
import KeyRound from "lucide-react/icons/key-round";
import type { DashboardStats } from "#contract/dashboard";
import { formatBytes } from "#contract/format-bytes";
import { languages } from "#contract/languages";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Link } from "../../../ui/link.tsx";
import { sum } from "./week/week.ts";

const tile = "grid min-w-0 content-start gap-1 rounded-xl border border-line bg-raised p-4 shadow-raised";

/** How much there is of everything; each figure leads to its list. */
export function Figures({ stats }: { readonly stats: DashboardStats }) {
  const language = useLanguage();
  const { totalPastes, totalFiles, totalApiKeys, totalS3Configs, attention } = stats;
  const week = (days: readonly number[]) => t("admin.dashboard.figures.week", { count: sum(days) });
  const expiring = attention.expiringKeys.length;
  const figures = [
    {
      name: "texts",
      to: "/admin/text-management",
      Icon: FileText,
      count: totalPastes,
      note: week(stats.lastWeekPastes),
    },
    { name: "files", to: "/admin/file-management", Icon: File, count: totalFiles, note: week(stats.lastWeekFiles) },
    {
      name: "keys",
      to: "/admin/key-management",
      Icon: KeyRound,
      count: totalApiKeys,
      note: expiring > 0 ? t("admin.dashboard.figures.expiring", { count: expiring }) : "\u00a0",
    },
    {
      name: "storages",
      to: "/admin/storage-config",
      Icon: Database,
      count: totalS3Configs,
      note: t("admin.dashboard.figures.used", { size: formatBytes(stats.totalStorageUsed, language) }),
    },
  ] as const;
  const number = new Intl.NumberFormat(languages[language].locale);
  return (
    <ul className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {figures.map(({ name, to, Icon, count, note }) => {
        const label = t(`admin.dashboard.figures.${name}`);
        return (
          <li key={name} className="min-w-0">
            <Link to={to} className={`${tile} transition-colors hover:border-line-strong`}>
              <span className="flex items-center justify-between gap-2 text-[13px] text-muted">
                {label}
                <Icon aria-hidden className="size-4 shrink-0" />
              </span>{" "}
              <span className="truncate font-semibold text-2xl tabular-nums tracking-tight">
                {number.format(count)}
              </span>{" "}
              <span className="truncate text-muted text-xs">{note}</span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
