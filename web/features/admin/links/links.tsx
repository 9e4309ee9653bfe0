import Link2 from "lucide-react/icons/link-2";
import Plus from "lucide-react/icons/plus";
import { useState } from "react";
import { type LinkRecord, type LinkState, linkStates } from "#contract/links";
import { failureText } from "../../../api/failure.ts";
import { type KeptLink, useLinkList, useRemoveLinks, useUpdateLink } from "../../../api/links.ts";
import { useRights } from "../../../api/session/rights.ts";
import { linkPage } from "../../../api/share-addresses.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/card.tsx";
import { linkName } from "../../../ui/link-form/facts.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { ConfirmDialog } from "../../../ui/overlay/dialog.tsx";
import { BulkBar } from "../list/bulk-bar.tsx";
import { type FilterField, ListBar } from "../list/list-bar.tsx";
import { ListPage } from "../list/list-page.tsx";
import { type ListQuery, useListQuery } from "../list/list-query.ts";
import { QrDialog } from "../list/row-actions.tsx";
import { useSelection } from "../list/selection.ts";
import { useMakerFilter } from "../list/share-filters.ts";
import { ShareList } from "../list/share-list.tsx";
import { EditLink } from "./edit-sheet.tsx";
import { linkShape } from "./link-shape.tsx";
import { NewLink } from "./new-link.tsx";
import { Received } from "./received.tsx";

/** The newest come first, and there is no other order. */
const sorts = ["created"] as const;
const filters = { state: linkStates, created_by: undefined } as const;

type Filter = keyof typeof filters;

/** What lies over the list at the moment. */
type Open =
  | { readonly kind: "new" }
  | { readonly kind: "edit"; readonly link: LinkRecord }
  | { readonly kind: "qr"; readonly link: LinkRecord }
  | { readonly kind: "received"; readonly link: LinkRecord }
  | { readonly kind: "remove"; readonly links: readonly LinkRecord[] };

/** What came of the last action. */
interface Outcome {
  readonly tone: "ok" | "error";
  readonly sentence: string;
  readonly reasons?: readonly string[];
}

const none: readonly LinkRecord[] = [];

/** What the server is asked for. */
const askedOf = ({ size, page, search, filters }: ListQuery<(typeof sorts)[number], Filter>) => ({
  limit: size,
  offset: (page - 1) * size,
  search: search || undefined,
  state: filters.state as LinkState | undefined,
  created_by: filters.created_by,
});

/** All links to files and folders, a key's own ones, to change, pause and delete. */
export function Links() {
  useLanguage();
  const { admin } = useRights();
  const query = useListQuery({ sorts, filters });
  const fields = useLinkFilters(admin);
  const list = useLinkList(askedOf(query));
  const links = list.data?.links ?? none;
  const selection = useSelection(links.map(({ id }) => id));
  const [open, setOpen] = useState<Open>();
  const [outcome, setOutcome] = useState<Outcome>();
  const { mutateAsync: update } = useUpdateLink();
  const switchTo = async ({ id }: LinkRecord, active: boolean) => {
    try {
      await update({ id, change: { is_active: active } });
      setOutcome({ tone: "ok", sentence: t(active ? "link.manage.resumed" : "link.manage.paused") });
    } catch (error) {
      setOutcome({ tone: "error", sentence: failureText(error) });
    }
  };
  const verbs = {
    edit: (link: LinkRecord) => setOpen({ kind: "edit", link }),
    qr: (link: LinkRecord) => setOpen({ kind: "qr", link }),
    received: (link: LinkRecord) => setOpen({ kind: "received", link }),
    remove: (link: LinkRecord) => setOpen({ kind: "remove", links: [link] }),
    switchTo: (link: LinkRecord, active: boolean) => void switchTo(link, active),
  };

  return (
    <>
      <ListPage
        title={t("link.manage.title")}
        loading={list}
        query={query}
        total={list.data?.total}
        bar={
          <ListBar
            query={query}
            searchLabel={t("link.manage.search")}
            searched={t("link.manage.searched")}
            sorts={sorts.map((value) => ({ value, label: t("link.manage.sort") }))}
            filters={fields}
          />
        }
        tools={<Create onCreate={() => setOpen({ kind: "new" })} />}
        outcome={outcome}
        notice={outcome && <Told {...outcome} />}
        empty={<NoLinks onCreate={() => setOpen({ kind: "new" })} />}
        bulk={
          <BulkBar
            selection={selection}
            onRemove={() => setOpen({ kind: "remove", links: links.filter(({ id }) => selection.has(id)) })}
          />
        }
      >
        {links.length > 0 && (
          <ShareList shape={linkShape(verbs, admin)} rows={links} selection={selection} sorting={query} />
        )}
      </ListPage>
      {open && <Dialogs open={open} onClose={() => setOpen(undefined)} onTell={setOutcome} />}
    </>
  );
}

interface CreateProps {
  readonly onCreate: () => void;
}

const Create = ({ onCreate }: CreateProps) => (
  <Button variant="primary" icon={<Plus aria-hidden />} onClick={onCreate}>
    {t("link.form.create")}
  </Button>
);

function useLinkFilters(admin: boolean): readonly FilterField<Filter>[] {
  const maker = useMakerFilter(admin);
  const states = linkStates.map((value) => ({ value, label: t(`link.state.${value}`) }));
  return [{ name: "state", label: t("link.manage.state"), choices: states }, ...maker];
}

function Told({ tone, sentence, reasons = [] }: Outcome) {
  return (
    <Notice tone={tone}>
      <p>{sentence}</p>
      {reasons.length > 0 && (
        <ul className="mt-1 list-disc pl-4">
          {reasons.map((reason) => (
            <li key={reason} className="wrap-anywhere">
              {reason}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

interface DialogsProps {
  readonly open: Open;
  readonly onClose: () => void;
  readonly onTell: (outcome: Outcome) => void;
}

/** The dialog or sheet over the list. */
function Dialogs({ open, onClose, onTell }: DialogsProps) {
  const { mutateAsync: remove } = useRemoveLinks();
  if (open.kind === "new") return <NewLink onClose={onClose} />;
  if (open.kind === "qr") return <QrDialog slug={open.link.slug} link={linkPage(open.link)} onClose={onClose} />;
  if (open.kind === "received") return <Received link={open.link} onClose={onClose} />;
  if (open.kind === "edit") return <EditLink link={open.link} onClose={onClose} />;
  const { links } = open;
  const count = links.length;
  const only = count === 1 ? links[0] : undefined;
  return (
    <ConfirmDialog
      danger
      title={
        only ? t("link.manage.removeTitle", { name: linkName(only) }) : t("link.manage.removeManyTitle", { count })
      }
      text={t(only ? "link.manage.removeText" : "link.manage.removeManyText")}
      confirm={t("admin.list.remove")}
      onConfirm={async () => onTell(removedOf(links, await remove(links.map(({ id }) => id))))}
      onClose={onClose}
    />
  );
}

/** Says how many links are gone, and names each that is not. */
function removedOf(links: readonly LinkRecord[], kept: readonly KeptLink[]): Outcome {
  if (kept.length === 0) return { tone: "ok", sentence: t("admin.list.removed", { count: links.length }) };
  const names = new Map(links.map((link) => [link.id, linkName(link)]));
  return {
    tone: "error",
    sentence: t("link.manage.notRemoved", { count: kept.length }),
    reasons: kept.map(({ id, error }) => `${names.get(id)} · ${error}`),
  };
}

function NoLinks({ onCreate }: CreateProps) {
  useLanguage();
  return (
    <EmptyState
      icon={<Link2 aria-hidden />}
      title={t("link.manage.emptyTitle")}
      text={t("link.manage.emptyText")}
      action={<Create onCreate={onCreate} />}
    />
  );
}
