import { useQueryClient } from "@tanstack/react-query";
import RefreshCw from "lucide-react/icons/refresh-cw";
import { useEffect, useState } from "react";
import type { DashboardStats } from "#contract/dashboard";
import { useCaches, useDashboard, useRecentActivity, useVersion } from "../../../api/dashboard.ts";
import { failureText } from "../../../api/failure.ts";
import { activityKeys } from "../../../api/query-keys.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { relativeTime } from "../../../lib/time.ts";
import { IconButton } from "../../../ui/button.tsx";
import { Skeleton } from "../../../ui/card.tsx";
import { Instant } from "../../../ui/instant.tsx";
import { FailedNotice } from "../../../ui/notice.tsx";
import { Attention } from "./attention.tsx";
import { Figures } from "./figures.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { RecentCard } from "./recent-card.tsx";
import { StorageCard } from "./storage/storage-card.tsx";
import { SystemCard } from "./system-card.tsx";
import { WeekCard } from "./week/week-card.tsx";

/** What there is, how it does, and what somebody should look at. */
export function Dashboard() {
  useLanguage();
  const queries = useQueryClient();
  const { data: stats, error, isFetching, dataUpdatedAt, refetch } = useDashboard();
  // What needs attention stands above all else, and its cards come in any order: nothing moves where all are shown at once.
  const others = [useCaches(), useVersion(), useRecentActivity()];
  const complete = others.every(({ isPending }) => !isPending);
  const refresh = () => {
    void queries.invalidateQueries({ queryKey: activityKeys.all });
    void queries.invalidateQueries({ queryKey: ["version"] });
    void refetch();
  };
  return (
    <>
      <div className="mb-4 flex min-h-9 items-center gap-2 pointer-coarse:min-h-11">
        <h1 className="mr-auto font-semibold text-xl">{t("admin.nav.dashboard")}</h1>
        {stats && <Updated at={dataUpdatedAt} />}
        <IconButton label={t("admin.list.refresh")} onClick={refresh} aria-busy={isFetching}>
          <RefreshCw aria-hidden className={isFetching ? "animate-spin" : undefined} />
        </IconButton>
      </div>
      {error && <FailedNotice text={failureText(error)} onRetry={refetch} className="mb-3" />}
      {stats && complete ? <Cards stats={stats} /> : !error && <DashboardShapes />}
    </>
  );
}

const MINUTE = 60_000;

/** How old the figures are; says so anew each minute. */
function Updated({ at }: { readonly at: number }) {
  const language = useLanguage();
  const [, setMinutes] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setMinutes((before) => before + 1), MINUTE);
    return () => clearInterval(timer);
  }, []);
  const now = Math.max(at, Date.now());
  const text =
    now - at < MINUTE
      ? t("admin.dashboard.updatedNow")
      : t("admin.dashboard.updated", { when: relativeTime(at, language, now) });
  return <Instant at={at} text={text} className="text-[13px] text-muted" />;
}

const Cards = ({ stats }: { readonly stats: DashboardStats }) => (
  <div className="grid grid-cols-1 gap-3">
    <Attention attention={stats.attention} backup={stats.backup} />
    <FirstSteps done={stats.firstSteps} />
    <Figures stats={stats} />
    <div className="grid grid-cols-1 gap-3 lg:grid-cols-3">
      <WeekCard stats={stats} />
      <StorageCard buckets={stats.s3Buckets} />
      <RecentCard />
      <SystemCard backup={stats.backup} more />
    </div>
  </div>
);

/** The cards before anything is known. */
const DashboardShapes = () => (
  <div aria-hidden className="grid grid-cols-1 gap-3">
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {["a", "b", "c", "d"].map((name) => (
        <Skeleton key={name} className="h-[106px] rounded-xl" />
      ))}
    </div>
    <div className="grid grid-cols-1 gap-3 lg:grid-cols-3">
      <Skeleton className="h-96 rounded-xl lg:col-span-2" />
      <Skeleton className="h-96 rounded-xl" />
    </div>
  </div>
);
