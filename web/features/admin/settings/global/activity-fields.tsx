import { useState } from "react";
import { useClearActivity } from "../../../../api/activity.ts";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { Button } from "../../../../ui/button.tsx";
import { Notice } from "../../../../ui/notice.tsx";
import { ConfirmDialog } from "../../../../ui/overlay/dialog.tsx";
import { NumberField } from "../number-field.tsx";
import { Switch } from "./fields.tsx";
import type { GlobalFieldsProps } from "./values.ts";

/** Whether it is logged who uses texts, files and links, for how long, and a way to delete what was. */
export function ActivityFields({ values, fill, problems }: GlobalFieldsProps) {
  useLanguage();
  const { mutateAsync: clear } = useClearActivity();
  const [asking, setAsking] = useState(false);
  const [cleared, setCleared] = useState<number>();
  return (
    <div className="grid gap-5">
      <Switch
        label={t("admin.settings.activity.on")}
        hint={t("admin.settings.activity.onHint")}
        on={values.activity}
        onChange={(activity) => fill({ activity })}
      />
      <NumberField
        label={t("admin.settings.activity.days")}
        hint={t("admin.settings.activity.daysHint")}
        value={values.activityDays}
        error={problems.activity_days}
        onChange={(activityDays) => fill({ activityDays })}
      />
      <Button className="justify-self-start" onClick={() => setAsking(true)}>
        {t("admin.settings.activity.clear")}
      </Button>
      {cleared !== undefined && <Notice tone="ok">{t("admin.settings.activity.cleared", { count: cleared })}</Notice>}
      {asking && (
        <ConfirmDialog
          danger
          title={t("admin.settings.activity.clearTitle")}
          text={t("admin.settings.activity.clearText")}
          confirm={t("admin.settings.activity.clear")}
          onConfirm={async () => setCleared(await clear(undefined))}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
