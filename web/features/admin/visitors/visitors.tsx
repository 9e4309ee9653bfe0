import UserRoundX from "lucide-react/icons/user-round-x";
import { useState } from "react";
import type { KeyRecord } from "#contract/keys";
import { bitsOf } from "#contract/permissions";
import { failureText } from "../../../api/failure.ts";
import { useCreateKey, useKeys } from "../../../api/keys.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../ui/card.tsx";
import { Link } from "../../../ui/link.tsx";
import { FailedNotice } from "../../../ui/notice.tsx";
import { ConfirmDialog } from "../../../ui/overlay/dialog.tsx";
import { Section } from "../frame/section.tsx";
import { Dialogs, type Open } from "../keys/dialogs.tsx";
import { Suspended } from "../keys/key-shape.tsx";
import { useSuspending } from "../keys/use-suspending.ts";
import { Moment } from "../list/row-parts.tsx";
import { type Outcome, OutcomeNotice } from "../resource/outcome.tsx";
import { VisitorPreview } from "./visitor-preview.tsx";

/** What people without an account may do here: one key that all of them act with, and how the site looks to them. */
export function Visitors() {
  useLanguage();
  const { data, error, refetch } = useKeys();
  const [open, setOpen] = useState<Open>();
  const [outcome, setOutcome] = useState<Outcome>();
  const suspend = useSuspending(setOutcome);
  const key = data?.find(({ is_guest, is_expired }) => is_guest === 1 && !is_expired);
  return (
    <>
      <h1 className="mb-5 flex min-h-9 items-center font-semibold text-xl pointer-coarse:min-h-11">
        {t("admin.nav.visitors")}
      </h1>
      {outcome && (
        <div className="mb-3">
          <OutcomeNotice outcome={outcome} />
        </div>
      )}
      {error && <FailedNotice text={failureText(error)} onRetry={refetch} />}
      {!data && !error && <Skeleton className="h-64 w-full" />}
      {data && !key && <LetIn />}
      {key && <Allowed visitors={key} onOpen={setOpen} onResume={() => void suspend(key, false)} />}
      {open && <Dialogs open={open} onOpen={setOpen} onOutcome={setOutcome} onClose={() => setOpen(undefined)} />}
    </>
  );
}

/** Offers what most sites with visitors want first: to share texts. Says what that opens to whom before it does. */
function LetIn() {
  const { mutateAsync } = useCreateKey();
  const [asking, setAsking] = useState(false);
  const create = () =>
    mutateAsync({
      name: t("admin.visitors.keyName"),
      permissions: bitsOf(["text"]),
      role: "GUEST",
      basic_path: "/",
      is_guest: true,
      expires_at: null,
    });
  return (
    <Card>
      <EmptyState
        icon={<UserRoundX aria-hidden />}
        title={t("admin.visitors.offTitle")}
        text={t("admin.visitors.offText")}
        action={
          <Button variant="primary" onClick={() => setAsking(true)}>
            {t("admin.visitors.letIn")}
          </Button>
        }
      />
      {asking && (
        <ConfirmDialog
          title={t("admin.visitors.letInTitle")}
          text={t("admin.visitors.letInText")}
          confirm={t("admin.visitors.letIn")}
          onConfirm={create}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  );
}

interface AllowedProps {
  readonly visitors: KeyRecord;
  readonly onOpen: (open: Open) => void;
  readonly onResume: () => void;
}

function Allowed({ visitors, onOpen, onResume }: AllowedProps) {
  const { permission_names: rights, basic_path: folder, expires_at, suspended_at } = visitors;
  const isForever = expires_at.startsWith("9999");
  return (
    <div className="grid gap-8">
      <Section title={t("admin.visitors.mayTitle")} text={t("admin.visitors.mayText")}>
        <ul className="flex flex-wrap gap-1.5">
          {suspended_at && (
            <li>
              <Suspended since={suspended_at} />
            </li>
          )}
          {rights.map((right) => (
            <li key={right} className="rounded-full bg-sunken px-2.5 py-0.5 text-[13px]">
              {t(`admin.keys.right.${right}`)}
            </li>
          ))}
          {rights.length === 0 && <li className="text-muted">{t("admin.visitors.nothing")}</li>}
        </ul>
        <dl className="mt-4 grid gap-x-6 gap-y-2 text-[13px] sm:grid-cols-3">
          <Fact name={t("admin.visitors.folder")}>
            <span className="wrap-anywhere font-mono">{folder}</span>
          </Fact>
          <Fact name={t("admin.visitors.until")}>
            <Moment at={isForever ? null : expires_at} ends />
          </Fact>
          <Fact name={t("admin.visitors.lastSeen")}>
            {visitors.last_used ? <Moment at={visitors.last_used} /> : t("admin.visitors.unseen")}
          </Fact>
        </dl>
        <div className="mt-4 flex flex-wrap gap-2">
          {suspended_at && <Button onClick={onResume}>{t("admin.keys.resume")}</Button>}
          <Button onClick={() => onOpen({ verb: "edit", key: visitors })}>{t("admin.visitors.change")}</Button>
          <Button variant="plain" onClick={() => onOpen({ verb: "remove", keys: [visitors] })}>
            {t("admin.visitors.shutOut")}
          </Button>
          <Link
            to="/admin/settings/sharing"
            className="ml-auto flex min-h-9 items-center rounded font-medium text-accent hover:underline"
          >
            {t("admin.visitors.limits")}
          </Link>
        </div>
      </Section>
      <Section title={t("admin.visitors.previewTitle")} text={t("admin.visitors.previewText")}>
        <VisitorPreview visitors={visitors} />
      </Section>
    </div>
  );
}

const Fact = ({ name, children }: { readonly name: string; readonly children: React.ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-muted text-xs">{name}</dt>
    <dd>{children}</dd>
  </div>
);
