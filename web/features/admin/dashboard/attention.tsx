import CircleAlert from "lucide-react/icons/circle-alert";
import { type ReactNode, useState } from "react";
import type { DashboardStats } from "#contract/dashboard";
import type { Language } from "#contract/languages";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { relativeTime } from "../../../lib/time.ts";
import { Button } from "../../../ui/button.tsx";
import { Link } from "../../../ui/link.tsx";
import { TitledCard } from "./card.tsx";

interface Item {
  readonly id: string;
  readonly text: string;
  /** Where something can be done about it; undefined when that is not on these pages. */
  readonly link?: { readonly to: string; readonly label: string };
}

/** Items that are shown at once. */
const FEW = 4;

/** What somebody should look at; nothing while all is well. */
export function Attention({ attention, backup }: Pick<DashboardStats, "attention" | "backup">) {
  const language = useLanguage();
  const [all, setAll] = useState(false);
  const items = [...itemsOf(attention, language), ...backupItems(backup, language)];
  if (items.length === 0) return null;
  return (
    <TitledCard title={t("admin.dashboard.attention.title")}>
      <ul className="-my-2 divide-y divide-line">
        {(all ? items : items.slice(0, FEW)).map(({ id, text, link }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
            <span className="flex min-w-0 flex-1 basis-64 items-start gap-2.5">
              <CircleAlert aria-hidden className="mt-px size-[18px] shrink-0 text-danger" />
              <span className="wrap-anywhere min-w-0">{text}</span>
            </span>
            {link && <ItemLink {...link} />}
          </li>
        ))}
      </ul>
      {!all && items.length > FEW && (
        <Button variant="plain" className="mt-3 -mb-1 self-start" onClick={() => setAll(true)}>
          {t("admin.dashboard.attention.all", { count: items.length })}
        </Button>
      )}
    </TitledCard>
  );
}

const ItemLink = ({ to, label }: { readonly to: string; readonly label: ReactNode }) => (
  <Link to={to} className="rounded py-1 pl-7 font-medium text-accent hover:underline sm:pl-0 pointer-coarse:py-3">
    {label}
  </Link>
);

function backupItems({ problem, last }: DashboardStats["backup"], language: Language): Item[] {
  if (problem === null) return [];
  const text =
    problem === "failed" && last
      ? t("admin.dashboard.attention.failedBackup", { when: relativeTime(last.ended_at, language, Date.now()) })
      : t("admin.dashboard.attention.lateBackup");
  return [
    { id: "backup", text, link: { to: "/admin/settings/backup", label: t("admin.dashboard.attention.seeBackups") } },
  ];
}

function itemsOf(attention: DashboardStats["attention"], language: Language): Item[] {
  const now = Date.now();
  const storages = { to: "/admin/storage-config", label: t("admin.dashboard.attention.seeStorages") };
  const { problems, failedJobs, failedStorages, fullStorages, expiringKeys, webhooks } = attention;
  // Which storage is full is said by name below.
  const shown = problems.filter(({ problem }) => problem !== "storage" || fullStorages.length === 0);
  return [
    ...shown.map(({ problem, advice }) => ({ id: problem, text: advice })),
    ...failedStorages.map(({ id, name, tested_at }) => ({
      id: `failed ${id}`,
      text: t("admin.dashboard.attention.failedStorage", { name, when: relativeTime(tested_at, language, now) }),
      link: storages,
    })),
    ...fullStorages.map(({ id, name, usagePercent: percent }) => ({
      id: `full ${id}`,
      text: t("admin.dashboard.attention.fullStorage", { name, percent }),
      link: storages,
    })),
    ...(failedJobs === 0
      ? []
      : [
          {
            id: "jobs",
            text: t("admin.dashboard.attention.failedJobs", { count: failedJobs }),
            link: { to: "/mount-explorer", label: t("admin.dashboard.attention.seeTasks") },
          },
        ]),
    ...webhooks.map(({ id, name, reason }) => ({
      id: `webhook ${id}`,
      text: t(`admin.dashboard.attention.webhook.${reason}`, { name }),
      link: { to: "/admin/settings/notifications", label: t("admin.dashboard.attention.seeWebhooks") },
    })),
    ...expiringKeys.map(({ id, name, expires_at }) => ({
      id: `key ${id}`,
      text: t("admin.dashboard.attention.expiringKey", { name, when: relativeTime(expires_at, language, now) }),
      link: { to: "/admin/key-management", label: t("admin.dashboard.attention.seeKeys") },
    })),
  ];
}
