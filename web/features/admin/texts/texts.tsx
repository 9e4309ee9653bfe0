import FileText from "lucide-react/icons/file-text";
import { useEffect, useState } from "react";
import type { ListedPaste } from "#contract/pastes";
import { failureText } from "../../../api/failure.ts";
import { useClearExpired, useDeletePastes, usePasteList } from "../../../api/pastes.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button, ButtonLink } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Card, EmptyState } from "../../../ui/surface.tsx";
import { EditSheet } from "./edit-sheet.tsx";
import { ListSkeleton, TextList } from "./list.tsx";
import { usePageNumber } from "./page-number.ts";
import { useSelection } from "./selection.ts";
import { BulkBar, Pages, Toolbar } from "./toolbar.tsx";

/** What lies over the list at the moment. */
type Open =
  | { readonly kind: "edit"; readonly id: string }
  | { readonly kind: "remove"; readonly texts: readonly Pick<ListedPaste, "id" | "slug">[] }
  | { readonly kind: "clear" };

const none: readonly ListedPaste[] = [];

/** All shared texts, to look at, change and delete. */
export function Texts() {
  useLanguage();
  const [page, go] = usePageNumber();
  const list = usePasteList(page);
  const texts = list.data?.data ?? none;
  const selection = useSelection(texts.map(({ id }) => id));
  const [open, setOpen] = useState<Open>();
  const [told, setTold] = useState<string>();

  const pages = list.data?.pagination.totalPages ?? page;
  useEffect(() => {
    // The last row of the last page was deleted, or the address asks for a page that was never there.
    if (page > 1 && page > pages && !list.isPlaceholderData) go(Math.max(1, pages));
  }, [page, pages, list.isPlaceholderData, go]);

  const tell = (sentence: string) => {
    setTold(sentence);
    selection.clear();
  };

  return (
    <>
      <Toolbar
        empty={list.data?.pagination.total === 0}
        refreshing={list.isFetching}
        onRefresh={() => list.refetch()}
        onClearExpired={() => setOpen({ kind: "clear" })}
      />
      {told && (
        <Notice tone="ok" className="mb-3">
          {told}
        </Notice>
      )}
      {list.error && <LoadFailed error={list.error} onRetry={() => list.refetch()} />}
      {list.isPending && <ListSkeleton />}
      {list.data && list.data.pagination.total === 0 && <NoTexts />}
      {texts.length > 0 && (
        <TextList
          texts={texts}
          selection={selection}
          verbs={{
            edit: ({ id }) => setOpen({ kind: "edit", id }),
            remove: (text) => setOpen({ kind: "remove", texts: [text] }),
          }}
        />
      )}
      {list.data && list.data.pagination.total > 0 && (
        <Pages page={page} pages={pages} total={list.data.pagination.total} onGo={go} />
      )}
      {selection.selected.length > 0 && (
        <BulkBar
          selection={selection}
          onRemove={() => setOpen({ kind: "remove", texts: texts.filter(({ id }) => selection.has(id)) })}
        />
      )}
      {open && <Over open={open} onClose={() => setOpen(undefined)} onTell={tell} />}
    </>
  );
}

interface OverProps {
  readonly open: Open;
  readonly onClose: () => void;
  /** Something is done; the sentence says what. */
  readonly onTell: (sentence: string) => void;
}

/** The dialog or sheet over the list. */
function Over({ open, onClose, onTell }: OverProps) {
  const remove = useDeletePastes();
  const clear = useClearExpired();
  if (open.kind === "edit") return <EditSheet id={open.id} onClose={onClose} />;
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
      confirm={t("admin.texts.remove")}
      danger
      onConfirm={async () =>
        onTell(t("admin.texts.removed", { count: await remove.mutateAsync(texts.map(({ id }) => id)) }))
      }
      onClose={onClose}
    />
  );
}

function LoadFailed({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  useLanguage();
  return (
    <Notice tone="error" className="mb-3" action={<Button onClick={onRetry}>{t("shell.actions.retry")}</Button>}>
      {failureText(error)}
    </Notice>
  );
}

function NoTexts() {
  useLanguage();
  const write = (
    <ButtonLink to="/" variant="primary">
      {t("admin.texts.emptyAction")}
    </ButtonLink>
  );
  return (
    <Card>
      <EmptyState
        icon={<FileText aria-hidden />}
        title={t("admin.texts.emptyTitle")}
        text={t("admin.texts.emptyText")}
        action={write}
      />
    </Card>
  );
}
