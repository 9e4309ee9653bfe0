import FileUp from "lucide-react/icons/file-up";
import Plus from "lucide-react/icons/plus";
import { useState } from "react";
import { type FileRecord, fileSorts } from "#contract/files";
import { useFileList } from "../../../api/files.ts";
import { useRights } from "../../../api/session/rights.ts";
import { sharePage } from "../../../api/share-addresses.ts";
import { useStorages } from "../../../api/upload-storages.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { ButtonLink } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/card.tsx";
import { LinkDialog } from "../../../ui/link-form/link-dialog.tsx";
import { BulkBar } from "../list/bulk-bar.tsx";
import { type FilterField, ListBar } from "../list/list-bar.tsx";
import { ListPage } from "../list/list-page.tsx";
import { useListQuery } from "../list/list-query.ts";
import { QrDialog } from "../list/row-actions.tsx";
import { useSelection } from "../list/selection.ts";
import { askedOf, searchHint, shareFilters, useShareFilters } from "../list/share-filters.ts";
import { ShareList } from "../list/share-list.tsx";
import { DetailsSheet } from "./details-sheet.tsx";
import { EditFile } from "./edit-sheet.tsx";
import { fileShape } from "./file-shape.tsx";
import { RemoveDialog, type Removed, RemovedNotice } from "./remove-dialog.tsx";

const filters = { ...shareFilters, storage: undefined } as const;

/** What lies over the list at the moment. */
type Open =
  | { readonly kind: "details"; readonly file: FileRecord }
  | { readonly kind: "edit"; readonly id: string }
  | { readonly kind: "qr"; readonly file: FileRecord }
  | { readonly kind: "link"; readonly files: readonly FileRecord[] }
  | { readonly kind: "remove"; readonly files: readonly FileRecord[] };

const none: readonly FileRecord[] = [];

/** All shared files, a key's own ones, to look at, change and delete. */
export function Files() {
  const language = useLanguage();
  const { admin, may } = useRights();
  const query = useListQuery({ sorts: fileSorts, filters });
  const fields = useFileFilters(admin);
  const list = useFileList({ ...askedOf(query), storage: query.filters.storage });
  const files = list.data?.files ?? none;
  const selection = useSelection(files.map(({ id }) => id));
  const [open, setOpen] = useState<Open>();
  const [removed, setRemoved] = useState<Removed>();
  const verbs = {
    details: (file: FileRecord) => setOpen({ kind: "details", file }),
    edit: ({ id }: FileRecord) => setOpen({ kind: "edit", id }),
    qr: (file: FileRecord) => setOpen({ kind: "qr", file }),
    remove: (file: FileRecord) => setOpen({ kind: "remove", files: [file] }),
  };
  const ticked = () => files.filter(({ id }) => selection.has(id));
  /** Of what is ticked, what a link can lead to: the rows of the others say that their files are deleted, or sealed. */
  const there = () => ticked().filter(({ file_gone, sealed }) => file_gone !== true && !sealed);
  const tell = (outcome: Removed) => {
    setRemoved(outcome);
    // What could not be deleted stays ticked, for another try.
    selection.select(outcome.failed.map(({ id }) => id));
  };

  return (
    <>
      <ListPage
        title={t("admin.files.title")}
        loading={list}
        query={query}
        total={list.data?.pagination.total}
        more={list.data?.pagination.total_exact === false}
        bar={
          <ListBar
            query={query}
            searchLabel={t("admin.files.search")}
            searched={t("admin.files.searched")}
            searchHint={searchHint}
            sorts={fileSorts.map((value) => ({ value, label: t(`admin.files.sort.${value}`) }))}
            filters={fields}
          />
        }
        tools={
          <ButtonLink to="/upload" variant="primary" icon={<Plus aria-hidden />}>
            {t("admin.files.upload")}
          </ButtonLink>
        }
        outcome={removed}
        notice={removed && <RemovedNotice {...removed} />}
        empty={<NoFiles admin={admin} />}
        bulk={
          <BulkBar
            selection={selection}
            onRemove={() => setOpen({ kind: "remove", files: ticked() })}
            onLink={
              may("mount_view") && there().length > 0 ? () => setOpen({ kind: "link", files: there() }) : undefined
            }
          />
        }
      >
        {files.length > 0 && (
          <ShareList shape={fileShape(verbs, { language, admin })} rows={files} selection={selection} sorting={query} />
        )}
      </ListPage>
      {open && <Dialogs open={open} onClose={() => setOpen(undefined)} onRemoved={tell} />}
    </>
  );
}

/** Returns the filters of all shares, and one by the storages that this person may see. */
function useFileFilters(admin: boolean): readonly FilterField<keyof typeof filters>[] {
  const fields = useShareFilters(admin);
  const { data: storages = [] } = useStorages(true);
  const choices = storages.map(({ id, name }) => ({ value: id, label: name }));
  return [...fields, { name: "storage", label: t("admin.files.storage"), choices }];
}

interface DialogsProps {
  readonly open: Open;
  readonly onClose: () => void;
  readonly onRemoved: (removed: Removed) => void;
}

/** The dialog or sheet over the list. */
function Dialogs({ open, onClose, onRemoved }: DialogsProps) {
  if (open.kind === "details") return <DetailsSheet file={open.file} onClose={onClose} />;
  if (open.kind === "qr") return <QrDialog slug={open.file.slug} link={sharePage(open.file)} onClose={onClose} />;
  if (open.kind === "link") {
    const items = open.files.map(({ id, filename }) => ({ name: filename, item: { file: id } }));
    return <LinkDialog items={items} onClose={onClose} />;
  }
  if (open.kind === "edit") return <EditFile id={open.id} onClose={onClose} />;
  return <RemoveDialog files={open.files} onRemoved={onRemoved} onClose={onClose} />;
}

function NoFiles({ admin }: { readonly admin: boolean }) {
  useLanguage();
  const upload = (
    <ButtonLink to="/upload" variant="primary">
      {t("admin.files.emptyAction")}
    </ButtonLink>
  );
  return (
    <EmptyState
      icon={<FileUp aria-hidden />}
      title={t("admin.files.emptyTitle")}
      text={t(admin ? "admin.files.emptyText" : "admin.files.emptyOwn")}
      action={upload}
    />
  );
}
