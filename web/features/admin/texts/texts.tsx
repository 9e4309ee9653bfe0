import BrushCleaning from "lucide-react/icons/brush-cleaning";
import FileText from "lucide-react/icons/file-text";
import Plus from "lucide-react/icons/plus";
import { useState } from "react";
import { type ListedPaste, pasteSorts } from "#contract/pastes";
import { useClearExpired, useDeletePastes, usePasteList } from "../../../api/pastes.ts";
import { useRights } from "../../../api/session/rights.ts";
import { pasteLink } from "../../../api/share-addresses.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button, ButtonLink } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/card.tsx";
import { LinkDialog } from "../../../ui/link-form/link-dialog.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { ConfirmDialog } from "../../../ui/overlay/dialog.tsx";
import { BulkBar } from "../list/bulk-bar.tsx";
import { ListBar } from "../list/list-bar.tsx";
import { ListPage } from "../list/list-page.tsx";
import { useListQuery } from "../list/list-query.ts";
import { QrDialog } from "../list/row-actions.tsx";
import { useSelection } from "../list/selection.ts";
import { askedOf, searchHint, shareFilters, useShareFilters } from "../list/share-filters.ts";
import { ShareList } from "../list/share-list.tsx";
import { EditText } from "./edit-sheet.tsx";
import { PreviewSheet } from "./preview-sheet.tsx";
import { textShape } from "./text-shape.tsx";

/** What lies over the list at the moment. */
type Open =
  | { readonly kind: "edit"; readonly id: string }
  | { readonly kind: "look"; readonly id: string }
  | { readonly kind: "qr"; readonly slug: string }
  | { readonly kind: "remove"; readonly texts: readonly Pick<ListedPaste, "id" | "slug">[] }
  | { readonly kind: "link"; readonly texts: readonly ListedPaste[]; readonly leftOut: number }
  | { readonly kind: "clear" };

const none: readonly ListedPaste[] = [];

/** All shared texts, a key's own ones, to look at, change and delete. */
export function Texts() {
  const language = useLanguage();
  const { admin, may } = useRights();
  const query = useListQuery({ sorts: pasteSorts, filters: shareFilters });
  const filters = useShareFilters(admin);
  const list = usePasteList(askedOf(query));
  const texts = list.data?.data ?? none;
  const selection = useSelection(texts.map(({ id }) => id));
  const [open, setOpen] = useState<Open>();
  const [outcome, setOutcome] = useState<{ readonly sentence: string; readonly tone: "ok" | "plain" }>();
  const verbs = {
    edit: ({ id }: ListedPaste) => setOpen({ kind: "edit", id }),
    look: ({ id }: ListedPaste) => setOpen({ kind: "look", id }),
    qr: ({ slug }: ListedPaste) => setOpen({ kind: "qr", slug }),
    remove: (text: ListedPaste) => setOpen({ kind: "remove", texts: [text] }),
  };
  const ticked = () => texts.filter(({ id }) => selection.has(id));
  const readable = () => ticked().filter((text) => isReadable(text, Date.now()));
  const link = () => setOpen({ kind: "link", texts: readable(), leftOut: ticked().length - readable().length });
  const tell: DialogsProps["onTell"] = (sentence, tone = "ok") => {
    setOutcome({ sentence, tone });
    selection.clear();
  };

  return (
    <>
      <ListPage
        title={t("admin.texts.title")}
        loading={list}
        query={query}
        total={list.data?.pagination.total}
        more={list.data?.pagination.total_exact === false}
        bar={
          <ListBar
            query={query}
            searchLabel={t("admin.texts.search")}
            searched={t("admin.texts.searched")}
            searchHint={searchHint}
            sorts={pasteSorts.map((value) => ({ value, label: t(`admin.list.${value}`) }))}
            filters={filters}
          />
        }
        tools={<Tools onClearExpired={admin ? () => setOpen({ kind: "clear" }) : undefined} />}
        outcome={outcome}
        notice={outcome && <Notice tone={outcome.tone}>{outcome.sentence}</Notice>}
        empty={<NoTexts admin={admin} />}
        bulk={
          <BulkBar
            selection={selection}
            onRemove={() => setOpen({ kind: "remove", texts: ticked() })}
            onLink={may("mount_view") ? link : undefined}
            linkRefusal={readable().length === 0 ? t("admin.texts.noneReadable") : undefined}
          />
        }
      >
        {texts.length > 0 && (
          <ShareList shape={textShape(verbs, { language, admin })} rows={texts} selection={selection} sorting={query} />
        )}
      </ListPage>
      {open && <Dialogs open={open} onClose={() => setOpen(undefined)} onTell={tell} />}
    </>
  );
}

/** Whether a text can still be opened; no link is made to one that cannot. */
const isReadable = ({ expires_at, max_views, views }: ListedPaste, now: number): boolean =>
  (expires_at === null || Date.parse(expires_at) > now) && (max_views === 0 || views < max_views);

interface DialogsProps {
  readonly open: Open;
  readonly onClose: () => void;
  /** Something is done, or waits for a connection (`plain`); the sentence says what. */
  readonly onTell: (sentence: string, tone?: "ok" | "plain") => void;
}

/** The dialog or sheet over the list. */
function Dialogs({ open, onClose, onTell }: DialogsProps) {
  const remove = useDeletePastes();
  const clear = useClearExpired();
  if (open.kind === "look") return <PreviewSheet id={open.id} onClose={onClose} />;
  if (open.kind === "qr") return <QrDialog slug={open.slug} link={pasteLink(open.slug)} onClose={onClose} />;
  if (open.kind === "edit")
    return <EditText id={open.id} onKept={(sentence) => onTell(sentence, "plain")} onClose={onClose} />;
  if (open.kind === "link") {
    const items = open.texts.map(({ id, remark, slug }) => ({ name: remark || slug, item: { paste: id } }));
    const { leftOut } = open;
    const omitted = leftOut > 0 ? t("admin.texts.leftOut", { count: leftOut }) : undefined;
    return <LinkDialog items={items} omitted={omitted} onClose={onClose} />;
  }
  if (open.kind === "clear") {
    return (
      <ConfirmDialog
        title={t("admin.texts.clearTitle")}
        text={t("admin.texts.clearText")}
        confirm={t("admin.texts.clearConfirm")}
        danger
        onConfirm={async () => {
          const count = await clear.mutateAsync(undefined);
          onTell(count > 0 ? t("admin.texts.cleared", { count }) : t("admin.texts.clearedNone"));
        }}
        onClose={onClose}
      />
    );
  }
  const { texts } = open;
  const count = texts.length;
  const only = count === 1 ? texts[0] : undefined;
  return (
    <ConfirmDialog
      title={only ? t("admin.texts.removeTitle") : t("admin.texts.removeManyTitle", { count })}
      text={only ? t("admin.texts.removeText", { slug: only.slug }) : t("admin.texts.removeManyText")}
      confirm={t("admin.list.remove")}
      danger
      onConfirm={async () =>
        onTell(t("admin.list.removed", { count: await remove.mutateAsync(texts.map(({ id }) => id)) }))
      }
      onClose={onClose}
    />
  );
}

interface ToolsProps {
  /** Only the admin may. */
  readonly onClearExpired: (() => void) | undefined;
}

function Tools({ onClearExpired }: ToolsProps) {
  useLanguage();
  return (
    <>
      {onClearExpired && (
        <Button icon={<BrushCleaning aria-hidden />} title={t("admin.texts.clearExpired")} onClick={onClearExpired}>
          <span className="max-sm:sr-only">{t("admin.texts.clearExpired")}</span>
        </Button>
      )}
      <ButtonLink to="/" variant="primary" icon={<Plus aria-hidden />}>
        {t("admin.texts.write")}
      </ButtonLink>
    </>
  );
}

function NoTexts({ admin }: { readonly admin: boolean }) {
  useLanguage();
  const write = (
    <ButtonLink to="/" variant="primary">
      {t("admin.texts.emptyAction")}
    </ButtonLink>
  );
  return (
    <EmptyState
      icon={<FileText aria-hidden />}
      title={t("admin.texts.emptyTitle")}
      text={t(admin ? "admin.texts.emptyText" : "admin.texts.emptyOwn")}
      action={write}
    />
  );
}
