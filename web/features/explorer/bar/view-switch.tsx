import Grid2x2 from "lucide-react/icons/grid-2x2";
import Images from "lucide-react/icons/images";
import Rows3 from "lucide-react/icons/rows-3";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { IconButton } from "../../../ui/button.tsx";
import { preferences, type ViewName, views } from "../model/preferences.ts";

export const viewIcons = { list: Rows3, grid: Grid2x2, gallery: Images } as const;

/** Changes between list, grid and gallery; the choice is remembered. */
export function ViewSwitch({ view }: { readonly view: ViewName }) {
  useLanguage();
  return (
    <fieldset aria-label={t("explorer.view.label")} className="flex">
      {views.map((name) => {
        const Icon = viewIcons[name];
        return (
          <IconButton
            key={name}
            label={t(`explorer.view.${name}`)}
            aria-pressed={name === view}
            onClick={() => preferences.change({ view: name })}
          >
            <Icon aria-hidden />
          </IconButton>
        );
      })}
    </fieldset>
  );
}
