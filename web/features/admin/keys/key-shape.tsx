import Pause from "lucide-react/icons/pause";
import Pencil from "lucide-react/icons/pencil";
import Play from "lucide-react/icons/play";
import SquareTerminal from "lucide-react/icons/square-terminal";
import Trash2 from "lucide-react/icons/trash-2";
import { type KeyRecord, NEVER } from "#contract/keys";
import { ALL_PERMISSIONS } from "#contract/permissions";
import { t } from "../../../i18n/i18n.ts";
import { IconButton } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Instant } from "../../../ui/instant.tsx";
import { Moment, Whole } from "../list/row-parts.tsx";
import type { ListShape } from "../list/share-list.tsx";

/** What the page does when a row asks for it. */
interface KeyVerbs {
  readonly connect: (key: KeyRecord) => void;
  readonly edit: (key: KeyRecord) => void;
  readonly suspend: (key: KeyRecord, suspended: boolean) => void;
  readonly remove: (key: KeyRecord) => void;
}

/** How the list shows a key, in the language of the moment. */
export const keyShape = ({ connect, edit, suspend, remove }: KeyVerbs): ListShape<KeyRecord> => ({
  roomy: "(min-width: 1152px)",
  called: ({ name }) => name,
  heading: {
    name: t("admin.keys.name"),
    sort: "name",
    looks: "w-52",
    show: (key) => <Name record={key} />,
    below: { name: t("admin.keys.key"), show: (key) => <Masked record={key} /> },
  },
  body: { name: t("admin.keys.rights"), show: (key) => <Rights record={key} /> },
  columns: [
    {
      name: t("admin.keys.basePath"),
      long: true,
      looks: "w-32",
      show: ({ basic_path }) => (
        <span className="font-mono text-[13px]">
          <Whole text={basic_path} />
        </span>
      ),
    },
    {
      name: t("admin.list.expires"),
      sort: "expires",
      looks: "w-32 whitespace-nowrap",
      show: ({ expires_at }) => <Moment at={expires_at === NEVER ? null : expires_at} ends />,
      below: {
        name: t("admin.list.created"),
        sort: "created",
        show: ({ created_at }) => <Moment at={created_at} />,
      },
    },
    {
      name: t("admin.keys.lastUsed"),
      sort: "used",
      looks: "w-28 whitespace-nowrap",
      show: ({ last_used }) =>
        last_used ? <Moment at={last_used} /> : <span className="text-muted">{t("admin.keys.neverUsed")}</span>,
    },
  ],
  actions: (key) => (
    <div className="flex items-center justify-end">
      <IconButton label={t("admin.keys.connect.open")} onClick={() => connect(key)}>
        <SquareTerminal aria-hidden />
      </IconButton>
      <IconButton label={t("admin.list.edit")} onClick={() => edit(key)}>
        <Pencil aria-hidden />
      </IconButton>
      {key.suspended_at ? (
        <IconButton label={t("admin.keys.resume")} onClick={() => suspend(key, false)}>
          <Play aria-hidden />
        </IconButton>
      ) : (
        <IconButton label={t("admin.keys.suspend")} onClick={() => suspend(key, true)}>
          <Pause aria-hidden />
        </IconButton>
      )}
      <IconButton tone="danger" label={t("admin.list.remove")} onClick={() => remove(key)}>
        <Trash2 aria-hidden />
      </IconButton>
    </div>
  ),
});

interface KeyProps {
  readonly record: KeyRecord;
}

const Name = ({ record: { name, is_guest } }: KeyProps) => (
  <span className="flex min-w-0 items-center gap-2">
    <bdi title={name} className="min-w-0 truncate font-medium">
      {name}
    </bdi>
    {is_guest === 1 && (
      <span className="shrink-0 rounded-full bg-accent-soft px-2 py-0.5 text-accent text-xs">
        {t("admin.keys.guestBadge")}
      </span>
    )}
  </span>
);

/** Says that a key admits nobody, and since when. */
export const Suspended = ({ since }: { readonly since: string }) => (
  <Instant
    at={since}
    text={t("admin.keys.suspendedBadge")}
    className="inline-block shrink-0 rounded-full bg-danger-soft px-2 font-medium text-danger text-xs leading-5"
  />
);

/** The beginning of a key, and a button that copies all of it; beside a name with a badge of its own there is no room for the other one. */
const Masked = ({ record: { key, key_masked, suspended_at } }: KeyProps) => (
  <span className="flex items-center gap-1 text-muted">
    <span className="font-mono text-[13px]">{key_masked}</span>
    <CopyButton iconOnly text={key} label={t("admin.keys.copyKey")} className="-my-1.5" />
    {suspended_at && <Suspended since={suspended_at} />}
  </span>
);

const Rights = ({ record: { permissions, permission_names } }: KeyProps) => {
  const names =
    permissions === ALL_PERMISSIONS
      ? [t("admin.keys.allRights")]
      : permission_names.map((right) => t(`admin.keys.tag.${right}`));
  if (names.length === 0) return <span className="text-muted">{t("admin.keys.noRights")}</span>;
  return (
    <ul aria-label={t("admin.keys.rights")} className="flex flex-wrap gap-1">
      {names.map((name) => (
        <li key={name} className="rounded-full bg-sunken px-2 py-0.5 text-muted text-xs">
          {name}
        </li>
      ))}
    </ul>
  );
};
