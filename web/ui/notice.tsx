import CircleAlert from "lucide-react/icons/circle-alert";
import CircleCheck from "lucide-react/icons/circle-check";
import Info from "lucide-react/icons/info";
import type { ReactNode } from "react";
import { t } from "../i18n/i18n.ts";
import { classes } from "../lib/classes.ts";
import { Button } from "./button.tsx";

type NoticeTone = "error" | "ok" | "plain";

const looks: Readonly<Record<NoticeTone, string>> = {
  error: "bg-danger-soft text-danger",
  ok: "bg-ok-soft text-ok",
  plain: "bg-sunken text-muted",
};

const icons: Readonly<Record<NoticeTone, typeof Info>> = { error: CircleAlert, ok: CircleCheck, plain: Info };

interface NoticeProps {
  readonly tone: NoticeTone;
  readonly children: ReactNode;
  /** What can be done about it, mostly a plain button. */
  readonly action?: ReactNode;
  readonly className?: string;
}

/** Says what happened, in the place where it happened; read out as it appears. */
export function Notice({ tone, children, action, className }: NoticeProps) {
  const Icon = icons[tone];
  return (
    <div
      role={tone === "error" ? "alert" : "status"}
      className={classes(
        "flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg px-3.5 py-2.5",
        looks[tone],
        className,
      )}
    >
      <div className="flex min-w-0 flex-1 basis-56 items-start gap-2.5">
        <Icon aria-hidden className="mt-px size-[18px] shrink-0" />
        <div className="min-w-0 leading-snug">{children}</div>
      </div>
      {action}
    </div>
  );
}

interface FailedNoticeProps extends Pick<NoticeProps, "className"> {
  readonly text: string;
  readonly onRetry: () => unknown;
}

/** Says what did not load, beside a button that tries again. */
export const FailedNotice = ({ text, onRetry, className }: FailedNoticeProps) => (
  <Notice
    tone="error"
    className={className}
    action={<Button onClick={() => onRetry()}>{t("shell.actions.retry")}</Button>}
  >
    {text}
  </Notice>
);
