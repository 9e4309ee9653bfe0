import Laptop from "lucide-react/icons/laptop";
import LogOut from "lucide-react/icons/log-out";
import Smartphone from "lucide-react/icons/smartphone";
import Terminal from "lucide-react/icons/terminal";
import { useState } from "react";
import { useEndOtherSessions, useEndSession, useSessions } from "../../../api/account.ts";
import { failureText } from "../../../api/failure.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Skeleton } from "../../../ui/card.tsx";
import { FailedNotice, Notice } from "../../../ui/notice.tsx";
import { ConfirmDialog } from "../../../ui/overlay/dialog.tsx";
import { useListFocus } from "../../../ui/use-list-focus.ts";
import { Section } from "../frame/section.tsx";
import { Moment } from "../list/row-parts.tsx";
import { type Device, deviceOf } from "./device.ts";

type Listed = NonNullable<ReturnType<typeof useSessions>["data"]>["sessions"][number];

interface Outcome {
  readonly tone: "ok" | "error";
  readonly text: string;
}

/** Where the administrator is signed in, and the way to end that. */
export function Sessions() {
  useLanguage();
  const { data, error, refetch } = useSessions();
  const { mutateAsync: end } = useEndSession();
  const { mutateAsync: endOthers } = useEndOtherSessions();
  const [asking, setAsking] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const list = useListFocus<HTMLUListElement>();

  const endOne = async ({ id }: Listed) => {
    try {
      await end(id);
      setOutcome({ tone: "ok", text: t("admin.account.sessions.endedOne") });
    } catch (caught) {
      setOutcome({ tone: "error", text: failureText(caught) });
    }
  };
  const endAll = async () => {
    const count = await endOthers(undefined);
    setOutcome({ tone: "ok", text: t("admin.account.sessions.ended", { count }) });
  };

  return (
    <Section title={t("admin.account.sessions.title")} text={t("admin.account.sessions.text")}>
      {error && <FailedNotice text={failureText(error)} onRetry={refetch} />}
      {outcome && (
        <Notice tone={outcome.tone} className="mb-3">
          {outcome.text}
        </Notice>
      )}
      {!data && !error && <SessionsSkeleton />}
      <ul ref={list} className="-my-2 max-h-96 divide-y divide-line overflow-y-auto">
        {data?.sessions.map((session) => (
          <Row key={session.id} session={session} onEnd={() => endOne(session)} />
        ))}
      </ul>
      {data && data.total > data.sessions.length && (
        <p className="mt-3 text-[13px] text-muted">{t("admin.account.sessions.more", { total: data.total })}</p>
      )}
      {data && data.total > 1 && (
        <Button className="mt-4" onClick={() => setAsking(true)}>
          {t("admin.account.sessions.endAll")}
        </Button>
      )}
      {asking && (
        <ConfirmDialog
          danger
          title={t("admin.account.sessions.endTitle")}
          text={t("admin.account.sessions.endText")}
          confirm={t("admin.account.sessions.endAll")}
          onConfirm={endAll}
          onClose={() => setAsking(false)}
        />
      )}
    </Section>
  );
}

const icons = { desk: Laptop, phone: Smartphone, program: Terminal } as const;

interface RowProps {
  readonly session: Listed;
  readonly onEnd: () => unknown;
}

function Row({ session, onEnd }: RowProps) {
  useLanguage();
  const device = deviceOf(session.user_agent);
  const Icon = icons[device.kind];
  return (
    <li className="flex items-center gap-3 py-3">
      <Icon aria-hidden className="size-[18px] shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span title={session.user_agent} className="wrap-anywhere font-medium">
            {nameOf(device)}
          </span>
          {session.is_current && (
            <span className="rounded-full bg-ok-soft px-2 py-0.5 font-medium text-ok text-xs">
              {t("admin.account.sessions.current")}
            </span>
          )}
        </p>
        <p className="flex flex-wrap gap-x-3 text-[13px] text-muted">
          <span className="wrap-anywhere font-mono text-xs leading-5">{session.address}</span>
          <span>
            {t("admin.account.sessions.used")} <Moment at={session.last_used} />
          </span>
          <span>
            {t("admin.account.sessions.since")} <Moment at={session.created_at} />
          </span>
        </p>
      </div>
      {session.is_current ? null : (
        <IconButton label={t("admin.account.sessions.end")} onClick={onEnd}>
          <LogOut aria-hidden />
        </IconButton>
      )}
    </li>
  );
}

/** "Firefox on Windows". */
function nameOf({ browser, system }: Device): string {
  if (browser && system) return t("admin.account.sessions.device", { browser, system });
  return browser ?? system ?? t("admin.account.sessions.unknown");
}

const SessionsSkeleton = () => (
  <div aria-hidden className="grid gap-4 py-1">
    <Skeleton className="h-10" />
    <Skeleton className="h-10" />
  </div>
);
