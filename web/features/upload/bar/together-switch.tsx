import Files from "lucide-react/icons/files";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useStore } from "../../../lib/store.ts";
import { sealing } from "../../../page/sealing.ts";
import { SwitchChip } from "../../../ui/share-options/chip.tsx";

/** Has several files become one sealed archive. */
export function TogetherSwitch() {
  useLanguage();
  const on = useStore(sealing.together);
  return (
    <SwitchChip
      icon={Files}
      label={t("upload.options.together")}
      text={t(`upload.options.${on ? "gathered" : "apart"}`)}
      on={on}
      onPress={() => sealing.gather(!on)}
    />
  );
}
