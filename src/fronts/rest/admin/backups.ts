import { backups as api, type BackupRun, type BackupStatus } from "#contract/backups";
import type { House } from "../../../house.ts";
import { iso } from "../../../lib/clock.ts";
import type { Backups } from "../../../system/backups.ts";
import type { Bind } from "../bind.ts";

type Status = Awaited<ReturnType<Backups["status"]>>;

/** Backups over REST. */
export function bindBackups(bind: Bind, { system: { backups } }: Pick<House, "system">): void {
  bind(api.status, async () => ({ data: shownBackups(await backups.status()) }));

  bind(api.start, async () => {
    await backups.begin();
    return { data: shownBackups(await backups.status()) };
  });
}

/** Backups as they are on the wire. */
export const shownBackups = ({ enabled, runningSince, next, last, whole, ...rest }: Status): BackupStatus => ({
  enabled,
  running_since: timeOf(runningSince),
  next_at: timeOf(next),
  last: shownRun(last),
  last_whole: shownRun(whole),
  problem: rest.problem,
  recipient: rest.recipient ?? null,
});

const timeOf = (at: number | undefined): string | null => (at === undefined ? null : iso(at));

const shownRun = (run: Status["last"]): BackupRun | null => {
  if (!run) return null;
  const { began, ended, ...rest } = run;
  return { started_at: iso(began), ended_at: iso(ended), ...rest };
};
