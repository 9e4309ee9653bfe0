import CaseLower from "lucide-react/icons/case-lower";
import CaseUpper from "lucide-react/icons/case-upper";
import Clock from "lucide-react/icons/clock";
import EllipsisVertical from "lucide-react/icons/ellipsis-vertical";
import Search from "lucide-react/icons/search";
import WrapText from "lucide-react/icons/wrap-text";
import X from "lucide-react/icons/x";
import { type RefObject, useState } from "react";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { keyName } from "../../../lib/keys.ts";
import { shownName } from "../../../lib/shown-name.ts";
import type { FileEditorHandle } from "../../../preview/text/editing/file-editor.tsx";
import { textCommands } from "../../../preview/text/editing/text-commands.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Menu } from "../../../ui/overlay/menu.tsx";
import type { TextWork } from "./text-work.ts";

const icons = { timestamp: Clock, upperCase: CaseUpper, lowerCase: CaseLower } as const;

interface EditTextHeaderProps {
  readonly name: string;
  readonly work: TextWork;
  readonly editor: RefObject<FileEditorHandle | null>;
  readonly wrap: boolean;
  readonly onWrap: () => void;
  readonly onSave: () => void;
  readonly onClose: () => void;
}

/** The line above an editor: the file's name, whether it is saved, and what can be done with its text. */
export function EditTextHeader({ name, work, editor, wrap, onWrap, onSave, onClose }: EditTextHeaderProps) {
  useLanguage();
  const [menu, setMenu] = useState<DOMRect>();
  const { held, touched, busy } = work;
  const status = work.done && !touched ? t("editing.file.saved") : touched ? t("editing.file.unsaved") : "";
  return (
    <>
      <header className="flex min-h-14 flex-wrap items-center gap-x-2 gap-y-1 border-line border-b px-2 py-1.5 sm:px-4">
        <IconButton label={t("editing.file.close")} onClick={onClose}>
          <X aria-hidden />
        </IconButton>
        <h2 className="min-w-0 flex-1 truncate font-semibold">
          <bdi title={shownName(name)}>{shownName(name)}</bdi>
        </h2>
        <span role="status" className="text-[13px] text-muted max-sm:sr-only">
          {status}
        </span>
        <IconButton label={t("editing.file.search", { keys: keyName("F") })} onClick={() => editor.current?.search()}>
          <Search aria-hidden />
        </IconButton>
        <IconButton label={t("editing.file.wrap")} aria-pressed={wrap} onClick={onWrap}>
          <WrapText aria-hidden />
        </IconButton>
        <IconButton
          label={t("editing.file.more")}
          aria-haspopup="menu"
          disabled={!held}
          onClick={({ currentTarget }) => setMenu(currentTarget.getBoundingClientRect())}
        >
          <EllipsisVertical aria-hidden />
        </IconButton>
        <Button
          variant="primary"
          busy={busy}
          disabled={!touched}
          title={t("editing.file.saveKeys", { keys: keyName("S") })}
          aria-keyshortcuts="Control+S Meta+S"
          onClick={onSave}
        >
          {busy ? t("share.form.saving") : t("share.form.save")}
        </Button>
      </header>
      {menu ? (
        <Menu
          label={t("editing.file.more")}
          at={menu}
          items={textCommands.map(({ command, keys }) => {
            const Icon = icons[command];
            const run = () => editor.current?.run(command);
            return {
              id: command,
              label: t(`editing.file.acts.${command}`),
              icon: <Icon aria-hidden />,
              keys,
              group: 1,
              run,
            };
          })}
          onClose={() => setMenu(undefined)}
        />
      ) : null}
    </>
  );
}
