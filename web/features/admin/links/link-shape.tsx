import Inbox from "lucide-react/icons/inbox";
import Pause from "lucide-react/icons/pause";
import Play from "lucide-react/icons/play";
import type { LinkRecord } from "#contract/links";
import { linkPage } from "../../../api/share-addresses.ts";
import { t } from "../../../i18n/i18n.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { downloadsText, filesText, LinkState, linkName, opensText, rightsText } from "../../../ui/link-form/facts.tsx";
import { RowActions } from "../list/row-actions.tsx";
import { Clipped, Creator, Locked, Moment, SlugLink } from "../list/row-parts.tsx";
import type { ListShape } from "../list/share-list.tsx";

/** What the page does when a row asks for it. */
interface LinkVerbs {
  readonly qr: (link: LinkRecord) => void;
  /** Shows what has come by it. */
  readonly received: (link: LinkRecord) => void;
  readonly edit: (link: LinkRecord) => void;
  readonly remove: (link: LinkRecord) => void;
  readonly switchTo: (link: LinkRecord, active: boolean) => void;
}

/** How the list shows a link, in the language of the moment; the admin sees everybody's, and so who made them. */
export const linkShape = (verbs: LinkVerbs, admin: boolean): ListShape<LinkRecord> => ({
  roomy: "(min-width: 1152px)",
  called: linkName,
  heading: {
    name: t("link.manage.name"),
    show: (link) => <Name link={link} onEdit={() => verbs.edit(link)} />,
    below: { name: t("admin.list.link"), show: (link) => <SlugLink slug={link.slug} link={linkPage(link)} /> },
  },
  columns: [
    {
      name: t("link.manage.content"),
      long: true,
      show: (link) => <Content link={link} />,
      note: (link) =>
        [rightsText(link), filesText(link), link.recipient ? t("link.sealed.fact") : ""]
          .filter((text) => text !== "")
          .join(" · "),
    },
    {
      name: t("link.manage.state"),
      looks: "w-30",
      show: (link) => <LinkState link={link} />,
      below: { name: t("admin.list.expires"), show: ({ expires_at }) => <Moment at={expires_at} ends /> },
    },
    {
      name: t("link.manage.use"),
      looks: "w-38",
      show: opensText,
      below: { name: t("link.manage.downloads"), show: downloadsText },
    },
    {
      name: t("admin.list.created"),
      looks: "w-30 whitespace-nowrap",
      show: ({ created_at }) => <Moment at={created_at} />,
      ...(admin ? { below: { name: t("admin.list.by"), show: (link) => <Creator share={link} /> } } : {}),
    },
  ],
  actions: (link) => <Actions link={link} verbs={verbs} />,
});

interface LinkProps {
  readonly link: LinkRecord;
}

function Actions({ link, verbs }: LinkProps & { readonly verbs: LinkVerbs }) {
  const { is_active } = link;
  const Icon = is_active ? Pause : Play;
  return (
    <RowActions
      name={linkName(link)}
      link={linkPage(link)}
      others={[
        ...(link.rights.includes("upload")
          ? [
              {
                id: "received",
                label: t("link.received.title"),
                icon: <Inbox aria-hidden />,
                group: 2,
                run: () => verbs.received(link),
              },
            ]
          : []),
        {
          id: "switch",
          label: t(is_active ? "link.manage.pause" : "link.manage.resume"),
          icon: <Icon aria-hidden />,
          group: 2,
          run: () => verbs.switchTo(link, !is_active),
        },
      ]}
      onQr={() => verbs.qr(link)}
      onEdit={() => verbs.edit(link)}
      onRemove={() => verbs.remove(link)}
    />
  );
}

/** What a link is called, which opens its form, and whether it asks for a password. */
const Name = ({ link, onEdit }: LinkProps & { readonly onEdit: () => void }) => (
  <span className="flex min-w-0 items-center gap-1.5">
    <button
      type="button"
      title={t("admin.list.edit")}
      onClick={onEdit}
      className="min-w-0 rounded py-1 text-left font-medium hover:underline pointer-coarse:min-h-11"
    >
      <bdi className="wrap-anywhere line-clamp-2">{linkName(link)}</bdi>
    </button>
    {link.has_password && <Locked />}
  </span>
);

/** Items that are named; the rest is counted. */
const NAMED = 2;

/** What a link leads to, with the places as its owner sees them. */
function Content({ link: { items, item_count: count } }: LinkProps) {
  const names = items.slice(0, NAMED).map(({ name }) => shownName(name));
  const more = count - names.length;
  const text = [names.join(" · "), more > 0 && t("link.form.others", { count: more })].filter(Boolean).join(" ");
  const places = items.map(({ name, path, paste }) =>
    shownName(path ?? (paste ? name : `${name} ${t("link.manage.gone")}`)),
  );
  return (
    <span title={places.join("\n")} className="block min-w-0">
      <Clipped text={text} />
    </span>
  );
}
