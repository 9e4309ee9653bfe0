import Monitor from "lucide-react/icons/monitor";
import Smartphone from "lucide-react/icons/smartphone";
import Tablet from "lucide-react/icons/tablet";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { IconButton } from "../../../../ui/button.tsx";
import { Choices } from "../../../../ui/form/choices.tsx";
import { Popover } from "../../../../ui/overlay/popover.tsx";
import type { PreviewWidth } from "../mode.ts";

const icons = { desk: Monitor, tablet: Tablet, phone: Smartphone } as const;
const widths = ["desk", "tablet", "phone"] as const;

interface WidthButtonProps {
  readonly width: PreviewWidth;
  readonly onChange: (width: PreviewWidth) => void;
}

/** Shows the reading side as wide as on another device. */
export function WidthButton({ width, onChange }: WidthButtonProps) {
  useLanguage();
  const label = `${t("editing.width.label")}: ${t(`editing.width.${width}`)}`;
  const Icon = icons[width];
  return (
    <Popover
      label={t("editing.width.label")}
      className="p-3 sm:w-72"
      trigger={(props) => (
        <IconButton label={label} {...props}>
          <Icon aria-hidden />
        </IconButton>
      )}
    >
      <Choices
        legend={t("editing.width.label")}
        value={width}
        onChoose={onChange}
        choices={widths.map((value) => ({ value, label: t(`editing.width.${value}`) }))}
        className="grid grid-cols-3 gap-2"
      />
    </Popover>
  );
}
