import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { Segmented } from "../../segmented.tsx";
import type { ViewMode } from "../mode.ts";

interface ViewModeSwitchProps {
  readonly viewMode: ViewMode;
  readonly wide: boolean;
  /** Too long to be rendered. */
  readonly long: boolean;
  readonly onChange: (viewMode: ViewMode) => void;
}

/** What is in viewMode of a text in Markdown. */
export function ViewModeSwitch({ viewMode, wide, long, onChange }: ViewModeSwitchProps) {
  useLanguage();
  const both = { value: "split", label: t("editing.viewMode.split"), disabled: long } as const;
  return (
    <Segmented
      label={t("editing.viewMode.label")}
      value={viewMode}
      onChange={onChange}
      choices={[
        { value: "write", label: t("editing.viewMode.write") },
        { value: "live", label: t("editing.viewMode.live"), title: t("editing.viewMode.liveHint"), disabled: long },
        ...(wide ? [both] : []),
        { value: "read", label: t("editing.viewMode.read"), disabled: long },
      ]}
    />
  );
}
