import ArrowDownUp from "lucide-react/icons/arrow-down-up";
import Settings2 from "lucide-react/icons/settings-2";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Popover } from "../../../ui/overlay/popover.tsx";
import { Presets } from "../../../ui/share-options/presets.tsx";
import type { FolderState } from "../folder/folder-state.ts";
import { nextSort, type SortField } from "../model/order.ts";
import { GALLERY, type GallerySettings, preferences, usual } from "../model/preferences.ts";

/** What the gallery shows and what it leaves out; how it is ordered, and how the pictures lie. */
export function GalleryBar({ state }: { readonly state: FolderState }) {
  useLanguage();
  const { listing, all, preferences: chosen } = state;
  const folders = all.filter(({ isDirectory }) => isDirectory).length;
  const others = all.length - folders - listing.entries.length;
  const rest = [
    ...(folders > 0 ? [t("explorer.gallery.folders", { count: folders })] : []),
    ...(others > 0 ? [t("explorer.gallery.otherFiles", { count: others })] : []),
  ];
  return (
    <div className="flex min-h-11 items-center gap-1 border-line border-b px-4 py-1 text-[13px] text-muted">
      <p className="mr-auto min-w-0">
        {t("explorer.gallery.pictures", { count: listing.entries.length })}
        {rest.length > 0 && ` · ${t("explorer.gallery.others", { rest: rest.join(" · ") })}`}
      </p>
      <Popover
        label={t("explorer.gallery.sort")}
        className="p-4"
        trigger={(props) => (
          <IconButton label={t("explorer.gallery.sort")} {...props}>
            <ArrowDownUp aria-hidden />
          </IconButton>
        )}
      >
        <Presets<SortField>
          label={t("explorer.gallery.sort")}
          choices={(["name", "size", "modified", "type"] as const).map((field) => ({
            value: field,
            label: labelOf(field, chosen.sort?.field === field ? chosen.sort.down : undefined),
          }))}
          value={chosen.sort?.field}
          onChoose={(field) => preferences.change({ sort: nextSort(chosen.sort, field) })}
        />
      </Popover>
      <Popover
        label={t("explorer.gallery.settings")}
        className="p-4"
        trigger={(props) => (
          <IconButton label={t("explorer.gallery.settings")} className="-mr-2" {...props}>
            <Settings2 aria-hidden />
          </IconButton>
        )}
      >
        <Settings settings={chosen.gallery} />
      </Popover>
    </div>
  );
}

function labelOf(field: SortField, down: boolean | undefined): string {
  const name = t(`explorer.list.${field}`);
  if (down === undefined) return name;
  return `${name} ${down ? "↓" : "↑"}`;
}

function Settings({ settings }: { readonly settings: GallerySettings }) {
  useLanguage();
  const change = (part: Partial<GallerySettings>) => preferences.change({ gallery: { ...settings, ...part } });
  return (
    <div className="grid gap-4">
      <Presets
        label={t("explorer.gallery.columns")}
        choices={GALLERY.columns.map((count) => ({
          value: count,
          label: count === 0 ? t("explorer.gallery.auto") : String(count),
        }))}
        value={settings.columns}
        onChoose={(columns) => change({ columns })}
      />
      <Gap label={t("explorer.gallery.across")} value={settings.across} onChange={(across) => change({ across })} />
      <Gap label={t("explorer.gallery.down")} value={settings.down} onChange={(down) => change({ down })} />
      <Button className="justify-self-end" onClick={() => preferences.change({ gallery: usual.gallery })}>
        {t("explorer.gallery.reset")}
      </Button>
    </div>
  );
}

interface GapProps {
  readonly label: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

const Gap = ({ label, value, onChange }: GapProps) => (
  <label className="grid gap-1.5">
    <span className="flex justify-between font-medium">
      {label}
      <span className="text-muted tabular-nums">{value} px</span>
    </span>
    <input
      type="range"
      min={0}
      max={GALLERY.gap}
      step={GALLERY.step}
      value={value}
      onChange={(event) => onChange(Number(event.target.value))}
      className="h-6 accent-accent pointer-coarse:h-11"
    />
  </label>
);
