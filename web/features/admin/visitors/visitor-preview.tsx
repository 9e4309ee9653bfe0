import Check from "lucide-react/icons/check";
import Minus from "lucide-react/icons/minus";
import type { KeyRecord } from "#contract/keys";
import type { Permission } from "#contract/permissions";
import { settingGroup, useSettings } from "../../../api/settings.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { classes } from "../../../lib/classes.ts";
import { siteLogo, siteName } from "../../../page/site.ts";
import { spanWords } from "../../../ui/share-options/expiry-field.tsx";

/** The places of the site with what is needed to use each, in the order of the header. */
const places = [
  { place: "home", needs: "text", can: "admin.visitors.canText", cannot: "admin.visitors.cannotText" },
  { place: "upload", needs: "file_share", can: "admin.visitors.canFile", cannot: "admin.visitors.cannotFile" },
  { place: "explorer", needs: "mount_view", can: "admin.visitors.canView", cannot: "admin.visitors.cannotView" },
] as const;

const more = [
  ["mount_upload", "admin.visitors.canUpload"],
  ["mount_copy", "admin.visitors.canCopy"],
  ["mount_rename", "admin.visitors.canRename"],
  ["mount_delete", "admin.visitors.canDelete"],
] as const satisfies readonly (readonly [Permission, string])[];

/** How the site looks to a visitor: its header, and what each of its pages lets them do. */
export function VisitorPreview({ visitors }: { readonly visitors: KeyRecord }) {
  useLanguage();
  const { data: settings } = useSettings(settingGroup.sharing);
  const may = (right: Permission) => visitors.permission_names.includes(right);
  const folder = visitors.basic_path;
  const logo = siteLogo();
  return (
    <figure className="overflow-hidden rounded-lg border border-line" aria-label={t("admin.visitors.previewTitle")}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-b bg-surface px-4 py-2.5 text-[13px]">
        <span className="flex items-center gap-2 font-semibold">
          {logo && <img src={logo} alt="" className="h-5 w-auto" />}
          {siteName()}
        </span>
        {places.map(({ place, needs }) => (
          <span key={place} className={classes("font-medium", may(needs) ? "text-text" : "text-muted")}>
            {t(`shell.nav.${place}`)}
          </span>
        ))}
      </div>
      <ul className="divide-y divide-line">
        {places.map(({ place, needs, can, cannot }) => (
          <Line key={place} on={may(needs)} title={t(`shell.nav.${place}`)}>
            {t(may(needs) ? can : cannot)}
            {place === "explorer" && may(needs) && (
              <>
                {" "}
                <span className="font-mono">{folder}</span>
                {more.filter(([right]) => may(right)).map(([, words]) => ` · ${t(words)}`)}
              </>
            )}
          </Line>
        ))}
      </ul>
      {settings && (
        <figcaption className="border-line border-t bg-sunken px-4 py-2.5 text-[13px] text-muted">
          {limitsOf((name) => Number(settings[name]?.value ?? 0))}
        </figcaption>
      )}
    </figure>
  );
}

/** What is limited, in one line. */
function limitsOf(read: (name: string) => number): string {
  const spans = [read("share_expiry_longest"), read("visitor_expiry_longest")].filter((hours) => hours > 0);
  const [file, shares, files] = [read("visitor_max_file"), read("visitor_max_shares"), read("visitor_max_files")];
  const limits = [
    ...(spans.length > 0 ? [t("admin.visitors.limitExpiry", { span: spanWords(Math.min(...spans)) })] : []),
    ...(file > 0 ? [t("admin.visitors.limitFile", { size: file })] : []),
    ...(shares > 0 ? [t("admin.visitors.limitShares", { count: shares })] : []),
    ...(files > 0 ? [t("admin.visitors.limitFiles", { size: files })] : []),
  ];
  return limits.length === 0 ? t("admin.visitors.noLimits") : limits.join(" · ");
}

interface LineProps {
  readonly on: boolean;
  readonly title: string;
  readonly children: React.ReactNode;
}

const Line = ({ on, title, children }: LineProps) => (
  <li className="grid grid-cols-[1.25rem_7rem_minmax(0,1fr)] items-baseline gap-x-2 px-4 py-2.5 text-[13px] max-sm:grid-cols-[1.25rem_minmax(0,1fr)]">
    {on ? (
      <Check aria-hidden className="size-4 translate-y-0.5 text-ok" />
    ) : (
      <Minus aria-hidden className="size-4 translate-y-0.5 text-muted" />
    )}
    <span className="font-medium">{title}</span>
    <span className="wrap-anywhere text-muted max-sm:col-start-2">{children}</span>
  </li>
);
