import type { FileRecord } from "#contract/files";
import type { Language } from "#contract/languages";
import { directFileLink, sharePage } from "../../../api/share-addresses.ts";
import { t } from "../../../i18n/i18n.ts";
import { shareName } from "../../../ui/file/share-name.ts";
import { providerName } from "../../../ui/provider-name.ts";
import { RowActions } from "../list/row-actions.tsx";
import { Clipped, Views } from "../list/row-parts.tsx";
import { createdColumn, expiresColumn } from "../list/share-columns.tsx";
import type { ListShape } from "../list/share-list.tsx";
import { Name } from "./file-parts.tsx";

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
  roomy: "(min-width: 768px)",
  called: shareName,
  heading: {
    name: t("admin.files.file"),
    sort: "name",
    show: (file) => <Name file={file} language={language} onDetails={() => details(file)} />,
    below: { name: t("admin.files.size"), sort: "size", show: () => null },
  },
  columns: [
    {
      name: t("admin.files.storage"),
      looks: "w-30 md:max-xl:hidden",
      show: ({ storage_config_name }) => <Clipped text={storage_config_name} />,
      note: ({ storage_provider_type }) => <Clipped text={providerName(storage_provider_type)} />,
    },
    createdColumn(admin),
    expiresColumn(),
    {
      name: t("admin.list.views"),
      sort: "views",
      looks: "w-24 text-right md:max-lg:hidden",
      show: (file) => <Views share={file} />,
    },
  ],
  actions: (file) => (
    <RowActions
      name={shareName(file)}
      link={sharePage(file)}
      {...(!file.sealed && {
        direct: { link: directFileLink(file.slug, file.grant), label: t("admin.files.copyDirect") },
      })}
      look={{ label: t("admin.files.details.title"), run: () => details(file) }}
      onQr={() => qr(file)}
      onEdit={() => edit(file)}
      onRemove={() => remove(file)}
    />
  ),
});
