import File from "lucide-react/icons/file";
import FileText from "lucide-react/icons/file-text";
import Folder from "lucide-react/icons/folder";
import X from "lucide-react/icons/x";
import { useRef } from "react";
import { failureText } from "../../../api/failure.ts";
import type { useLinkRecord } from "../../../api/links.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { IconButton } from "../../../ui/button.tsx";
import { Skeleton } from "../../../ui/card.tsx";
import { FailedNotice } from "../../../ui/notice.tsx";
import { AddItem } from "./add-item.tsx";
import type { EditedItem } from "./edited-item.ts";

interface LinkItemsProps {
  /** The link with all of its items: the list has only the first of each. */
  readonly whole: ReturnType<typeof useLinkRecord>;
  /** What it is to lead to; undefined while that was not changed. */
  readonly left: readonly EditedItem[] | undefined;
  readonly onChange: (left: readonly EditedItem[]) => void;
}

/** Whether an item is there, and its owner's to give away. */
const isThere = ({ path, paste }: EditedItem): boolean => path !== null || paste !== undefined;

/** What a link leads to, each to take out, and more to add. One that is there has to stay, as a link leads somewhere. */
export function LinkItems({ whole: { data, error, refetch }, left, onChange }: LinkItemsProps) {
  useLanguage();
  const list = useRef<HTMLUListElement>(null);
  if (error) return <FailedNotice text={failureText(error)} onRetry={refetch} />;
  if (!data) return <Skeleton className="h-24 w-full" />;
  const shown = left ?? data.items;
  const without = (item: EditedItem) => shown.filter((one) => one !== item);
  const takeOut = (item: EditedItem): void => {
    onChange(without(item));
    // The button that was pressed goes with its row.
    list.current?.focus();
  };
  return (
    <section aria-label={t("link.items.title")} className="grid gap-1.5">
      <h3 className="font-medium">{t("link.items.title")}</h3>
      <ul
        ref={list}
        tabIndex={-1}
        className="max-h-72 divide-y divide-line overflow-y-auto rounded-lg border border-line pl-3.5"
      >
        {shown.map((item) => (
          <Item
            key={item.id ?? item.path}
            item={item}
            onRemove={without(item).some(isThere) ? () => takeOut(item) : undefined}
          />
        ))}
      </ul>
      <AddItem known={shown} onAdd={(item) => onChange([...shown, item])} />
      {left && (
        <p role="status" className="text-[13px] text-muted">
          {t("link.items.hint")}
        </p>
      )}
    </section>
  );
}

interface ItemProps {
  readonly item: EditedItem;
  /** undefined for the last one. */
  readonly onRemove: (() => void) | undefined;
}

function Item({ item, onRemove }: ItemProps) {
  const { name, path, paste, isDirectory } = item;
  const Icon = isDirectory ? Folder : paste ? FileText : File;
  return (
    <li className="flex min-h-11 items-center gap-2 py-1">
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="wrap-anywhere min-w-0 flex-1">
        <bdi>{shownName(path ?? name)}</bdi>
        {!isThere(item) && <span className="text-muted"> {t("link.manage.gone")}</span>}
      </span>
      {onRemove && (
        <IconButton label={t("link.items.remove", { name: shownName(name) })} onClick={onRemove}>
          <X aria-hidden />
        </IconButton>
      )}
    </li>
  );
}
