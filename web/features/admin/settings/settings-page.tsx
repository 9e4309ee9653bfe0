import type { ReactNode } from "react";
import { failureText, failureTone } from "../../../api/failure.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Card, Skeleton } from "../../../ui/card.tsx";
import { Unsaved } from "../../../ui/form/unsaved.tsx";
import { FailedNotice, Notice } from "../../../ui/notice.tsx";
import type { Outcome, SettingsForm } from "./use-settings-form.ts";

interface SettingsPageProps {
  readonly title: string;
  readonly state: SettingsForm;
  /** The sections. */
  readonly children: ReactNode;
}

/** A page of settings: its sections, and below them what becomes of changes. */
export function SettingsPage({ title, state, children }: SettingsPageProps) {
  useLanguage();
  const { form, touched, busy, outcome, discard, submit } = state;
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Heading title={title} />
      <div className="grid gap-8">{children}</div>
      {(touched || outcome !== undefined) && (
        <div
          data-at-bottom
          className="sticky bottom-[calc(var(--strip)+12px)] z-10 mt-6 grid gap-3 rounded-xl border border-line bg-raised p-3 shadow-float lg:ml-[17rem]"
        >
          {outcome !== undefined && <OutcomeNotice outcome={outcome} />}
          {touched && (
            <div className="flex flex-wrap items-center gap-2">
              <span className="mr-auto pl-1 text-muted max-sm:w-full">{t("admin.settings.unsaved")}</span>
              <Button onClick={discard} className="max-sm:flex-1">
                {t("admin.settings.discard")}
              </Button>
              <Button type="submit" variant="primary" busy={busy} className="max-sm:flex-1">
                {t(busy ? "admin.settings.saving" : "admin.settings.save")}
              </Button>
            </div>
          )}
        </div>
      )}
      <Unsaved touched={touched} />
    </form>
  );
}

function OutcomeNotice({ outcome }: { readonly outcome: Outcome }) {
  if (outcome instanceof Error) return <Notice tone={failureTone(outcome)}>{failureText(outcome)}</Notice>;
  return <Notice tone={outcome === "saved" ? "ok" : "error"}>{t(`admin.settings.${outcome}`)}</Notice>;
}

const Heading = ({ title }: { readonly title: string }) => (
  <div className="mb-5 flex min-h-9 items-center pointer-coarse:min-h-11">
    <h1 className="font-semibold text-xl">{title}</h1>
  </div>
);

interface LoadingProps {
  readonly title: string;
  readonly error: unknown;
  readonly onRetry: () => unknown;
  /** How many sections there will be. */
  readonly sections: number;
}

/** Stands in the place of such a page until its settings are there, or says why they are not. */
export function SettingsLoading({ title, error, onRetry, sections }: LoadingProps) {
  useLanguage();
  return (
    <div aria-busy={!error}>
      <Heading title={title} />
      {error ? (
        <FailedNotice text={failureText(error)} onRetry={onRetry} />
      ) : (
        <div className="grid gap-8">
          {Array.from({ length: sections }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
            <div key={index} className="grid gap-3 lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-8">
              <div className="grid content-start gap-2 lg:pt-1">
                <Skeleton className="h-4 w-28" />
                <Skeleton className="h-3 w-44" />
              </div>
              <Card className="grid h-56 content-start gap-5 p-5">
                <Skeleton className="h-9" />
                <Skeleton className="h-9" />
                <Skeleton className="h-9 w-1/2" />
              </Card>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
