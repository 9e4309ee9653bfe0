import ChevronDown from "lucide-react/icons/chevron-down";
import ChevronRight from "lucide-react/icons/chevron-right";
import Folder from "lucide-react/icons/folder";
import PackageOpen from "lucide-react/icons/package-open";
import ShoppingBasket from "lucide-react/icons/shopping-basket";
import X from "lucide-react/icons/x";
import { useState } from "react";
import { formatBytes } from "#contract/format-bytes";
import { failureText } from "../../../api/failure.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { useStore } from "../../../lib/store.ts";
import { appUpdate } from "../../../page/app-update.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/card.tsx";
import { FileIcon } from "../../../ui/file/file-icon.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { ConfirmDialog, Sheet } from "../../../ui/overlay/dialog.tsx";
import { useListFocus } from "../../../ui/use-list-focus.ts";
import { type BasketItem, basket } from "./basket.ts";
import { type Group, groupsOf, planOf } from "./plan.ts";

/** Rows of one folder that are drawn; the rest is counted, and goes into the archive all the same. */
const DRAWN = 200;

/** What was collected, by folders, and the way to take it along as one archive. */
export function BasketSheet({ onClose }: { readonly onClose: () => void }) {
  const language = useLanguage();
  const items = useStore(basket.items);
  const [asking, setAsking] = useState<"clear" | "huge">();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<unknown>();
  const plan = planOf(items);
  const size = formatBytes(plan.size, language);

  const pack = async () => {
    setBusy(true);
    setRefused(undefined);
    try {
      const { packBasket } = await appUpdate.arrival(() => import("./packing.ts"));
      await packBasket(items);
      onClose();
    } catch (error) {
      setRefused(error);
    } finally {
      setBusy(false);
    }
  };

  const list = useListFocus();
  const footer = items.length > 0 && (
    <>
      {refused !== undefined && (
        <Notice tone="error" className="w-full">
          {failureText(refused)}
        </Notice>
      )}
      <Button className="mr-auto" onClick={() => setAsking("clear")}>
        {t("basket.clear")}
      </Button>
      <Button
        variant="primary"
        busy={busy}
        icon={<PackageOpen aria-hidden />}
        onClick={() => (plan.weight === "huge" ? setAsking("huge") : void pack())}
      >
        {t("basket.pack")}
      </Button>
    </>
  );

  return (
    <Sheet title={t("basket.title")} onClose={onClose} footer={footer}>
      <div ref={list} className="grid grid-cols-1 gap-3">
        {items.length === 0 ? (
          <EmptyState
            icon={<ShoppingBasket aria-hidden />}
            title={t("basket.emptyTitle")}
            text={t("basket.emptyText")}
          />
        ) : (
          <>
            <Summary plan={plan} size={size} />
            <Groups items={items} />
          </>
        )}
      </div>
      {asking === "clear" && (
        <ConfirmDialog
          title={t("basket.clearTitle")}
          text={t("basket.clearText")}
          confirm={t("basket.clear")}
          onConfirm={async () => basket.clear()}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking === "huge" && (
        <ConfirmDialog
          title={t("basket.hugeTitle", { size })}
          text={t("basket.huge")}
          confirm={t("basket.hugeConfirm")}
          onConfirm={async () => void pack()}
          onClose={() => setAsking(undefined)}
        />
      )}
    </Sheet>
  );
}

interface SummaryProps {
  readonly plan: ReturnType<typeof planOf>;
  readonly size: string;
}

/** How much it is, who makes the archive, and whether that is wise. */
function Summary({ plan: { files, folders, by, weight }, size }: SummaryProps) {
  useLanguage();
  return (
    <>
      <p role="status" className="text-muted">
        {folders > 0 ? t("basket.summaryFolders", { files, folders, size }) : t("basket.summary", { files, size })}
        {" · "}
        {t(by === "browser" ? "basket.byBrowser" : "basket.byServer")}
      </p>
      {weight !== "light" && <Notice tone={weight === "huge" ? "error" : "plain"}>{t(`basket.${weight}`)}</Notice>}
    </>
  );
}

function Groups({ items }: { readonly items: readonly BasketItem[] }) {
  useLanguage();
  const groups = groupsOf(items);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const toggle = (folder: string) =>
    setClosed((now) => {
      const next = new Set(now);
      if (!next.delete(folder)) next.add(folder);
      return next;
    });
  return (
    <>
      {groups.length > 1 && (
        <div className="-ml-2 flex">
          <Button variant="plain" className="text-[13px]" onClick={() => setClosed(new Set())}>
            {t("basket.expandAll")}
          </Button>
          <Button
            variant="plain"
            className="text-[13px]"
            onClick={() => setClosed(new Set(groups.map(({ folder }) => folder)))}
          >
            {t("basket.collapseAll")}
          </Button>
        </div>
      )}
      {groups.map((group) => (
        <GroupRows
          key={group.folder}
          group={group}
          open={!closed.has(group.folder)}
          onToggle={() => toggle(group.folder)}
        />
      ))}
    </>
  );
}

interface GroupProps {
  readonly group: Group;
  readonly open: boolean;
  readonly onToggle: () => void;
}

function GroupRows({ group: { folder, items, size }, open, onToggle }: GroupProps) {
  const language = useLanguage();
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    <section aria-label={folder}>
      <button
        type="button"
        aria-expanded={open}
        onClick={onToggle}
        className="flex min-h-9 w-full items-center gap-2 rounded-lg text-left hover:bg-sunken pointer-coarse:min-h-11"
      >
        <Chevron aria-hidden className="size-[18px] shrink-0 text-muted" />
        <bdi className="wrap-anywhere min-w-0 flex-1 font-medium">{folder}</bdi>
        <span className="shrink-0 text-[13px] text-muted tabular-nums">
          {t("basket.items", { count: items.length })} · {formatBytes(size, language)}
        </span>
      </button>
      {open && (
        <ul className="pl-6">
          {items.slice(0, DRAWN).map((item) => (
            <Row key={item.path} item={item} />
          ))}
          {items.length > DRAWN && (
            <li className="py-1.5 text-[13px] text-muted">{t("tasks.more", { count: items.length - DRAWN })}</li>
          )}
        </ul>
      )}
    </section>
  );
}

function Row({ item: { path, name, isDirectory, typeName, size } }: { readonly item: BasketItem }) {
  const language = useLanguage();
  return (
    <li className="flex items-center gap-2.5">
      {isDirectory ? (
        <Folder aria-hidden className="size-[18px] shrink-0 fill-accent-soft text-accent" />
      ) : (
        <FileIcon type={typeName} filename={name} className="size-[18px] shrink-0 text-muted" />
      )}
      <bdi title={shownName(name)} className="min-w-0 flex-1 truncate">
        {shownName(name)}
      </bdi>
      <span className="shrink-0 text-[13px] text-muted tabular-nums">
        {size === undefined ? "–" : formatBytes(size, language)}
      </span>
      <IconButton label={t("basket.remove", { name: shownName(name) })} onClick={() => basket.remove(path)}>
        <X aria-hidden />
      </IconButton>
    </li>
  );
}
