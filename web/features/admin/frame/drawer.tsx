import PanelLeft from "lucide-react/icons/panel-left";
import X from "lucide-react/icons/x";
import { type MouseEvent, useState } from "react";
import { useLocation } from "react-router-dom";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { IconButton } from "../../../ui/button.tsx";
import { useModal } from "../../../ui/overlay/dialog.tsx";
import { moduleGroups } from "./modules.ts";
import { Navigation, PanelTitle, usePanelTitle } from "./navigation.tsx";

interface DrawerProps {
  /** The addresses of the pages that may be opened. */
  readonly open: readonly string[];
}

/** On a phone: where one is, as the button that opens the navigation at the side. */
export function DrawerBar({ open }: DrawerProps) {
  useLanguage();
  const { pathname } = useLocation();
  const [shown, setShown] = useState(false);
  const here = moduleGroups.flatMap(({ modules }) => modules).find(({ to }) => pathname.startsWith(to));
  const title = usePanelTitle();
  return (
    <div className="sticky top-14 z-20 border-line border-b bg-surface px-2 md:hidden">
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={shown}
        onClick={() => setShown(true)}
        className="flex h-11 w-full items-center gap-2.5 rounded-lg px-2 font-medium text-muted [&_svg]:size-[18px]"
      >
        <PanelLeft aria-hidden />
        {title}
        {here && (
          <>
            <span aria-hidden className="text-line-strong">
              /
            </span>
            <span className="text-text">{t(here.label)}</span>
          </>
        )}
      </button>
      {shown && <Drawer open={open} onClose={() => setShown(false)} />}
    </div>
  );
}

interface OpenDrawerProps extends DrawerProps {
  readonly onClose: () => void;
}

/** The navigation over the page. The platform keeps the focus in it and brings it back; Esc and a press outside close it. */
function Drawer({ open, onClose }: OpenDrawerProps) {
  useLanguage();
  const { ref, shown } = useModal();
  const title = usePanelTitle();
  const outside = ({ target }: MouseEvent) => target === ref.current;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc is the keyboard's way and arrives as onCancel
    <dialog
      ref={ref}
      aria-label={title}
      className="sheet mr-auto ml-0 w-[min(84vw,300px)] border-r border-l-0 starting:-translate-x-8"
      onCancel={(event) => {
        if (event.target !== ref.current) return;
        event.preventDefault();
        onClose();
      }}
      onClose={() => shown.current && ref.current?.open === false && onClose()}
      onClick={(event) => outside(event) && onClose()}
    >
      <div className="flex min-h-full flex-col p-3 pb-[max(12px,env(safe-area-inset-bottom))]">
        <div className="mb-3 flex items-start justify-between gap-2 pl-3">
          <div className="min-w-0 pt-2">
            <PanelTitle />
          </div>
          <IconButton label={t("shell.nav.close")} onClick={onClose}>
            <X aria-hidden />
          </IconButton>
        </div>
        <Navigation open={open} onGo={onClose} />
      </div>
    </dialog>
  );
}
