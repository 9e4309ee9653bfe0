import { useState } from "react";
import type { AuditEntry } from "#contract/admin";
import { type AuditAction, auditActions } from "#contract/audit-actions";
import { AUDIT_ROWS, useAudit } from "../../../api/account.ts";
import { failureText } from "../../../api/failure.ts";
import { t, useLanguage, type WordKey } from "../../../i18n/i18n.ts";
import { classes } from "../../../lib/classes.ts";
import { Card, Skeleton } from "../../../ui/card.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { FailedNotice } from "../../../ui/notice.tsx";
import { Pages } from "../list/pages.tsx";
import { Moment } from "../list/row-parts.tsx";

const ALL = "";

const isAction = (text: string): text is AuditAction => auditActions.some((action) => action === text);

type Named<Action> = Action extends `${infer Subject}.${infer Verb}` ? `${Subject}_${Verb}` : never;

/** An action in words. */
const nameOf = (action: AuditAction): string =>
  t(`admin.account.actions.${action.replace(".", "_") as Named<AuditAction>}`);

type FieldWord = Extract<WordKey, `admin.account.fields.${string}`>;

/** A key without a text is answered as it is. */
const isFieldWord = (key: string): key is FieldWord => t(key as FieldWord) !== key;

/** Sign-ins and administrative changes, page by page, of one action or of all. */
export function AuditLog() {
  useLanguage();
  const [page, setPage] = useState(1);
  const [filter, setFilter] = useState<AuditAction>();
  const { data, error, isPlaceholderData, refetch } = useAudit(page, filter);
  const choices = [
    { value: ALL, label: t("admin.account.audit.all") },
    ...auditActions.map((action) => ({ value: action, label: nameOf(action) })),
  ];
  const choose = (value: string) => {
    setFilter(isAction(value) ? value : undefined);
    setPage(1);
  };
  const { total = 0 } = data?.pagination ?? {};
  return (
    <section aria-labelledby="audit-log">
      <div className="mb-3 flex flex-wrap items-end justify-between gap-x-4 gap-y-3">
        <div>
          <h2 id="audit-log" className="font-semibold">
            {t("admin.account.audit.title")}
          </h2>
          <p className="mt-1 text-[13px] text-muted">{t("admin.account.audit.text")}</p>
        </div>
        <SelectField
          hiddenLabel
          label={t("admin.account.audit.filter")}
          choices={choices}
          value={filter ?? ALL}
          onChoose={choose}
          className="w-60 max-w-full"
        />
      </div>
      {error && <FailedNotice text={failureText(error)} onRetry={refetch} />}
      {!data && !error && <LogSkeleton />}
      {data?.data.length === 0 && <Card className="p-6 text-center text-muted">{t("admin.account.audit.none")}</Card>}
      {data && data.data.length > 0 && (
        <>
          <Card className={classes("transition-opacity", isPlaceholderData && "opacity-60")}>
            <ul className="divide-y divide-line">
              {data.data.map((entry) => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </ul>
          </Card>
          <Pages page={page} pages={Math.max(1, Math.ceil(total / AUDIT_ROWS))} total={total} onGo={setPage} />
        </>
      )}
    </section>
  );
}

function Entry({ entry }: { readonly entry: AuditEntry }) {
  useLanguage();
  const { action, at, address, name, fields } = entry;
  // Of something new every field was set.
  const concerned = action.endsWith(".update") ? fields.filter((field) => field !== "currentPassword") : [];
  return (
    <li className="grid gap-x-4 gap-y-0.5 px-4 py-2.5 sm:grid-cols-[minmax(0,1fr)_auto]">
      <p className="min-w-0">
        <span className={classes("font-medium", action === "login.failed" && "text-danger")}>
          {isAction(action) ? nameOf(action) : action}
        </span>
        {name && <span className="wrap-anywhere text-muted"> · {name}</span>}
      </p>
      <p className="text-[13px] text-muted sm:text-right">
        <Moment at={at} />
      </p>
      <p className="wrap-anywhere min-w-0 text-[13px] text-muted">
        {actorOf(entry)}
        {address && <span className="font-mono text-xs"> · {address}</span>}
      </p>
      {concerned.length > 0 && (
        <p className="wrap-anywhere text-[13px] text-muted sm:col-span-2">
          {t("admin.account.audit.fields", { fields: concerned.map(fieldName).join(t("admin.account.audit.comma")) })}
        </p>
      )}
    </li>
  );
}

/** A field in words; one that these pages do not know by its own name. */
function fieldName(field: string): string {
  const words = `admin.account.fields.${field}`;
  return isFieldWord(words) ? t(words) : field;
}

/** Who did it, in words. */
function actorOf({ actor }: AuditEntry): string {
  if (actor === "admin" || actor === "nobody" || actor === "terminal") return t(`admin.account.audit.${actor}`);
  return t("admin.account.audit.key", { id: actor.replace(/^apikey:/, "") });
}

const LogSkeleton = () => (
  <Card aria-hidden className="grid gap-4 p-4">
    {["a", "b", "c", "d", "e"].map((row) => (
      <Skeleton key={row} className="h-9" />
    ))}
  </Card>
);
