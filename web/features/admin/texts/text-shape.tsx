import type { ListedPaste } from "#contract/pastes";
import { pasteLink, rawLink } from "../../../api/links.ts";
import { t } from "../../../i18n/i18n.ts";
import { RowActions } from "../list/row-actions.tsx";
import { Creator, Locked, Moment, SlugLink } from "../list/row-parts.tsx";
import type { ListShape } from "../list/share-list.tsx";

/** What the page does when a row asks for it. */
interface TextVerbs {
  readonly look: (text: ListedPaste) => void;
  readonly qr: (text: ListedPaste) => void;
  readonly edit: (text: ListedPaste) => void;
  readonly remove: (text: ListedPaste) => void;
}

/** How the list shows a text, in the language of the moment; the admin sees everybody's, and so who made them. */
export const textShape = ({ look, qr, edit, remove }: TextVerbs, admin: boolean): ListShape<ListedPaste> => ({
  roomy: "(min-width: 1024px)",
  called: ({ slug }) => slug,
  heading: { name: t("admin.list.link"), looks: "w-32", show: (text) => <Link text={text} /> },
  body: { name: t("admin.texts.text"), show: (text) => <Preview text={text} onLook={() => look(text)} /> },
  columns: [
    {
      name: t("admin.list.created"),
      sort: "created",
      looks: "w-32 whitespace-nowrap",
      show: ({ created_at }) => <Moment at={created_at} />,
      ...(admin ? { below: { name: t("admin.list.by"), show: (text) => <Creator share={text} /> } } : {}),
    },
    {
      name: t("admin.list.expires"),
      sort: "expires",
      looks: "w-32 whitespace-nowrap",
      show: ({ expires_at }) => <Moment at={expires_at} ends />,
    },
    { name: t("admin.list.views"), sort: "views", looks: "w-22 text-right", show: (text) => <Views text={text} /> },
  ],
  actions: (text) => (
    <RowActions
      name={text.slug}
      link={pasteLink(text.slug)}
      direct={{ link: rawLink(text.slug, text.grant), label: t("admin.texts.copyRaw") }}
      look={{ label: t("admin.texts.look"), run: () => look(text) }}
      onQr={() => qr(text)}
      onEdit={() => edit(text)}
      onRemove={() => remove(text)}
    />
  ),
});

interface TextProps {
  readonly text: ListedPaste;
}

const Link = ({ text: { slug, has_password } }: TextProps) => (
  <span className="flex min-w-0 items-center gap-1.5">
    <SlugLink slug={slug} link={pasteLink(slug)} />
    {has_password === 1 && <Locked />}
  </span>
);

interface PreviewProps extends TextProps {
  readonly onLook: () => void;
}

/** The beginning of a text, under its remark when it has one; pressed, it shows all of it. */
const Preview = ({ text: { remark, content_preview }, onLook }: PreviewProps) => (
  <button
    type="button"
    title={t("admin.texts.look")}
    onClick={onLook}
    className="block w-full min-w-0 rounded text-left pointer-coarse:min-h-11 hover:[&_p]:underline"
  >
    {remark && <p className="truncate font-medium">{remark}</p>}
    <p className={`wrap-anywhere text-muted ${remark ? "line-clamp-1" : "line-clamp-2"}`}>
      {content_preview.trim() || t("admin.texts.blank")}
    </p>
  </button>
);

/** How often a text was opened, of how often it may be. */
function Views({ text: { views, max_views } }: TextProps) {
  const spent = max_views > 0 && views >= max_views;
  return (
    <span className={`tabular-nums ${spent ? "text-danger" : ""}`}>
      {max_views > 0 ? t("admin.texts.viewsOf", { views, max: max_views }) : views}
    </span>
  );
}
