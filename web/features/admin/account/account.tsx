import { t, useLanguage } from "../../../i18n/i18n.ts";
import { AuditLog } from "./audit-log.tsx";
import { ChangeForm } from "./change-form.tsx";
import { Sessions } from "./sessions.tsx";

/** The administrator's account: name and password, where it is signed in, and what was done with it. */
export function Account() {
  useLanguage();
  return (
    <>
      <h1 className="mb-5 font-semibold text-xl">{t("admin.account.title")}</h1>
      <div className="grid gap-8">
        <ChangeForm />
        <Sessions />
        <AuditLog />
      </div>
    </>
  );
}
