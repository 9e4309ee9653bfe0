import Info from "lucide-react/icons/info";
import X from "lucide-react/icons/x";
import { useId } from "react";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useMedia } from "../../../lib/media.ts";
import { useSettled } from "../../../lib/use-settled.ts";
import { IconButton } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { EntryLook } from "../folder/entry-thumbnail.tsx";
import type { Entry } from "../model/entry.ts";
import { preferences } from "../model/preferences.ts";
import { Details } from "./details.tsx";

/** Where there is room for the details beside the list. */
const ROOMY = "(min-width: 1280px)";

/** Reports whether details have their place beside the list. */
export const haveRoom = (): boolean => window.matchMedia(ROOMY).matches;

/** Who goes from one to the next by key does not look at each; in milliseconds. */
const GLANCE = 150;

interface DetailsPanelProps {
  readonly chosen: readonly Entry[];
  readonly hasLinks: boolean;
}

/** What is known of what is chosen, beside the list; below 1280 pixels a sheet shows it. */
export function DetailsPanel(props: DetailsPanelProps) {
  return useMedia(ROOMY) ? <Panel {...props} /> : null;
}

function Panel({ chosen, hasLinks }: DetailsPanelProps) {
  useLanguage();
  const title = useId();
  const entries = useSettled(chosen, GLANCE);
  const [only] = entries;
  return (
    <aside aria-labelledby={title} className="flex min-h-0 w-80 shrink-0 2xl:w-96">
      <Card className="flex min-h-0 w-full flex-col">
        <div className="flex items-center justify-between py-1.5 pr-1.5 pl-4">
          <h2 id={title} className="font-semibold">
            {t("explorer.details.title")}
          </h2>
          <IconButton label={t("explorer.details.hide")} onClick={() => preferences.change({ details: false })}>
            <X aria-hidden />
          </IconButton>
        </div>
        <div className="grid min-h-0 flex-1 content-start gap-4 overflow-y-auto px-4 pt-1 pb-4">
          {only === undefined ? (
            <p className="text-[13px] text-muted">{t("explorer.details.none")}</p>
          ) : (
            <>
              {entries.length === 1 && !only.isDirectory ? (
                <EntryLook key={only.path} entry={only} className="h-48 w-full rounded-lg bg-sunken" icon="size-14" />
              ) : null}
              <Details key={only.path} {...{ entries, hasLinks }} />
            </>
          )}
        </div>
      </Card>
    </aside>
  );
}

/** Shows and hides the panel; the choice is remembered. */
export function DetailsButton({ shown }: { readonly shown: boolean }) {
  useLanguage();
  return (
    <IconButton
      label={t("explorer.details.title")}
      aria-pressed={shown}
      onClick={() => preferences.change({ details: !shown })}
      className="max-xl:hidden"
    >
      <Info aria-hidden />
    </IconButton>
  );
}
