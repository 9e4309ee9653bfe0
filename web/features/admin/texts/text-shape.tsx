import { formatBytes } from "#contract/format-bytes";
import type { Language } from "#contract/languages";
import type { ListedPaste } from "#contract/pastes";
import { pasteLink, rawLink } from "../../../api/share-addresses.ts";
import { t } from "../../../i18n/i18n.ts";
import { RowActions } from "../list/row-actions.tsx";
import { Locked, Views } from "../list/row-parts.tsx";
import { createdColumn, expiresColumn } from "../list/share-columns.tsx";
import type { ListShape } from "../list/share-list.tsx";
import { restOf, textKind, titleOf } from "./title.ts";

/** What the page does when a row asks for it. */
interface TextVerbs {
  readonly look: (text: ListedPaste) => void;
  readonly qr: (text: ListedPaste) => void;
  readonly edit: (text: ListedPaste) => void;
  readonly remove: (text: ListedPaste) => void;
}

interface Viewer {
  readonly language: Language;
  /** Sees everybody's texts, and so who made them. */
  readonly admin: boolean;
}

/** How the list shows a text, in the language of the moment. */
export const textShape = (
  { look, qr, edit, remove }: TextVerbs,
  { language, admin }: Viewer,
): ListShape<ListedPaste> => ({
  roomy: "(min-width: 768px)",
  called: titleOf,
  heading: {
    name: t("admin.texts.text"),
    show: (text) => <Title text={text} onLook={() => look(text)} />,
    below: { name: t("admin.texts.kind"), show: (text) => <Kind text={text} language={language} /> },
  },
  columns: [
    createdColumn(admin),
    expiresColumn(),
    {
      name: t("admin.list.views"),
      sort: "views",
      looks: "w-24 text-right md:max-lg:hidden",
      show: (text) => <Views share={text} />,
    },
  ],
  actions: (text) => (
    <RowActions
      name={titleOf(text)}
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

interface TitleProps extends TextProps {
  readonly onLook: () => void;
}

/** The title of a text or its first line; pressed, it shows all of it. */
function Title({ text, onLook }: TitleProps) {
  const rest = restOf(text);
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <button
        type="button"
        title={t("admin.texts.look")}
        onClick={onLook}
        className="block min-h-6 min-w-6 rounded text-left pointer-coarse:min-h-11 hover:[&_b]:underline"
      >
        <span className="block truncate">
          <b className="font-medium">{titleOf(text)}</b>
          {rest !== "" && <span className="text-muted max-md:hidden"> {rest}</span>}
        </span>
      </button>
      {text.has_password === 1 && <Locked />}
    </span>
  );
}

/** What kind of text it is, how large, and where. */
const Kind = ({ text, language }: TextProps & { readonly language: Language }) => (
  <span className="block truncate">
    {textKind(text)} · {formatBytes(text.size, language)} · <span className="font-mono text-xs">/{text.slug}</span>
  </span>
);
