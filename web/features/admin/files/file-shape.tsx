import type { FileRecord } from "#contract/files";
import type { Language } from "#contract/languages";
import { directFileLink, fileLink } from "../../../api/links.ts";
import { t } from "../../../i18n/i18n.ts";
import { formatBytes } from "../../../lib/bytes.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { providerName } from "../../../ui/provider-name.ts";
import { RowActions } from "../list/row-actions.tsx";
import { Clipped, Creator, Moment, Whole } from "../list/row-parts.tsx";
import type { ListShape } from "../list/share-list.tsx";
import { LinkAndRemark, Name, ViewsLeft } from "./file-parts.tsx";

/** What the page does when a row asks for it. */
interface FileVerbs {
  readonly details: (file: FileRecord) => void;
  readonly qr: (file: FileRecord) => void;
  readonly edit: (file: FileRecord) => void;
  readonly remove: (file: FileRecord) => void;
}

interface Viewer {
  readonly language: Language;
  /** Sees everybody's files, and so who made them. */
  readonly admin: boolean;
}

/** How the list shows a file. */
export const fileShape = (
  { details, qr, edit, remove }: FileVerbs,
  { language, admin }: Viewer,
): ListShape<FileRecord> => ({
  roomy: "(min-width: 1152px)",
  called: ({ filename }) => shownName(filename),
  heading: {
    name: t("admin.files.file"),
    sort: "name",
    show: (file) => <Name file={file} onDetails={() => details(file)} />,
    below: { name: t("admin.list.link"), show: (file) => <LinkAndRemark file={file} /> },
  },
  columns: [
    {
      name: t("admin.files.type"),
      looks: "w-34",
      show: ({ mimetype }) => <Whole text={mimetype} />,
      below: { name: t("admin.files.size"), sort: "size", show: ({ size }) => formatBytes(size, language) },
    },
    {
      name: t("admin.list.views"),
      sort: "views",
      looks: "w-30",
      show: (file) => <ViewsLeft file={file} />,
      below: {
        name: t("admin.list.expires"),
        sort: "expires",
        show: ({ expires_at }) => <Moment at={expires_at} ends />,
      },
    },
    {
      name: t("admin.files.storage"),
      looks: "w-34",
      show: ({ storage_config_name }) => <Clipped text={storage_config_name} />,
      note: ({ storage_provider_type }) => <Clipped text={providerName(storage_provider_type)} />,
    },
    {
      name: t("admin.list.created"),
      sort: "created",
      looks: "w-30 whitespace-nowrap",
      show: ({ created_at }) => <Moment at={created_at} />,
      ...(admin ? { below: { name: t("admin.list.by"), show: (file) => <Creator share={file} /> } } : {}),
    },
  ],
  actions: (file) => (
    <RowActions
      name={shownName(file.filename)}
      link={fileLink(file.slug)}
      direct={{ link: directFileLink(file.slug, file.grant), label: t("admin.files.copyDirect") }}
      look={{ label: t("admin.files.details.title"), run: () => details(file) }}
      onQr={() => qr(file)}
      onEdit={() => edit(file)}
      onRemove={() => remove(file)}
    />
  ),
});
