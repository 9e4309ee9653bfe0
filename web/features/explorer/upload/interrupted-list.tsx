import History from "lucide-react/icons/history";
import X from "lucide-react/icons/x";
import { formatBytes } from "#contract/format-bytes";
import { parentOf } from "#contract/paths";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { FileName } from "../../../ui/file/file-name.tsx";
import { toast } from "../../../ui/toast/toast.ts";
import { preferences } from "../model/preferences.ts";
import { named } from "../model/tree-calls.ts";
import { pageTasks } from "../tasks/page-tasks.ts";
import { discard, type InterruptedUpload, resumeUpload } from "./interrupted-uploads.ts";
import { pickFiles } from "./pick-files.ts";
import { treeUploads } from "./tree-uploads.ts";

const ports = { uploads: treeUploads, tasks: pageTasks };

/** Rows that are drawn; more are counted. */
const SHOWN = 100;

function choose(cut: readonly InterruptedUpload[], many: boolean): void {
  pickFiles({ many, label: t("tasks.cut.choose") }, (files) => {
    const relay = preferences.get().mode === "direct";
    const { strangers, changed } = resumeUpload({ ...ports, relay }, cut, files);
    const names = (some: readonly string[]) => some.slice(0, 3).map(shownName).join(", ");
    if (changed.length > 0) void toast({ tone: "error", text: t("tasks.cut.changed", { names: names(changed) }) });
    if (strangers.length > 0)
      void toast({ tone: "error", text: t("tasks.cut.strangers", { names: names(strangers) }) });
  });
}

/** Files that an earlier visit did not bring here: a page cannot open them by itself, so they are chosen again. */
export function InterruptedList({ cut }: { readonly cut: readonly InterruptedUpload[] }) {
  useLanguage();
  return (
    <>
      <div className="flex min-h-9 flex-wrap items-center gap-x-1">
        <h3 className="mr-auto font-medium text-[13px] text-muted">{t("tasks.cut.title")}</h3>
        {cut.length > 1 && (
          <>
            <Button variant="plain" className="text-[13px]" onClick={() => choose(cut, true)}>
              {t("tasks.cut.chooseMany")}
            </Button>
            <Button
              variant="plain"
              className="-mr-2 text-[13px]"
              onClick={() => cut.forEach((one) => void discard(ports, one))}
            >
              {t("tasks.cut.discardAll")}
            </Button>
          </>
        )}
      </div>
      <ul className="divide-y divide-line">
        {cut.slice(0, SHOWN).map((one) => (
          <CutOffRow key={one.path} one={one} />
        ))}
      </ul>
      {cut.length > SHOWN && <p className="text-[13px] text-muted">{t("tasks.more", { count: cut.length - SHOWN })}</p>}
    </>
  );
}

function CutOffRow({ one }: { readonly one: InterruptedUpload }) {
  const language = useLanguage();
  const { path, unfinished } = one;
  const name = named(path);
  const label = (action: string) => t("upload.row.named", { action, name: shownName(name) });
  return (
    <li className="flex items-center gap-x-2 py-2">
      <History aria-hidden className="size-[18px] shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <FileName name={name} />
        <p className="truncate text-[13px] text-muted tabular-nums">
          {[
            unfinished
              ? t("tasks.cut.arrived", {
                  sent: formatBytes(unfinished.sent, language),
                  size: formatBytes(unfinished.size, language),
                })
              : t("tasks.cut.anew"),
            t("explorer.upload.into", { folder: shownName(parentOf(path)) }),
          ].join(" · ")}
        </p>
      </div>
      <Button
        variant="plain"
        className="text-[13px]"
        aria-label={label(t("tasks.cut.choose"))}
        onClick={() => choose([one], false)}
      >
        {t("tasks.cut.choose")}
      </Button>
      <IconButton
        label={label(t("tasks.cut.discard"))}
        title={t("tasks.cut.discard")}
        className="-mr-2"
        onClick={() => void discard(ports, one)}
      >
        <X aria-hidden />
      </IconButton>
    </li>
  );
}
