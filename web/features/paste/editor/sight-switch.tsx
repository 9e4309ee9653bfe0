import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Segmented } from "../segmented.tsx";
import type { Sight } from "./mode.ts";

interface SightSwitchProps {
  readonly sight: Sight;
  readonly wide: boolean;
  /** Too long to be rendered. */
  readonly long: boolean;
  readonly onChange: (sight: Sight) => void;
}

/** What is in sight of a text in Markdown. */
export function SightSwitch({ sight, wide, long, onChange }: SightSwitchProps) {
  useLanguage();
  const both = { value: "split", label: t("editing.sight.split"), disabled: long } as const;
  return (
    <Segmented
      label={t("editing.sight.label")}
      value={sight}
      onChange={onChange}
      choices={[
        { value: "write", label: t("editing.sight.write") },
        { value: "live", label: t("editing.sight.live"), title: t("editing.sight.liveHint"), disabled: long },
        ...(wide ? [both] : []),
        { value: "read", label: t("editing.sight.read"), disabled: long },
      ]}
    />
  );
}
