import { useEffect, useState } from "react";
import { useNavigate } from "react-router-dom";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { pathFrom } from "../../lib/base-path.ts";
import { ConfirmDialog } from "../overlay/dialog.tsx";
import { useBackGuard } from "./back-guard.ts";

interface DiscardDialogProps {
  readonly onDiscard: () => unknown;
  readonly onClose: () => void;
}

/** Asks before changes are thrown away. */
export function DiscardDialog({ onDiscard, onClose }: DiscardDialogProps) {
  useLanguage();
  return (
    <ConfirmDialog
      danger
      careful
      cancel={t("share.form.keep")}
      title={t("share.form.discardTitle")}
      text={t("share.form.discardText")}
      confirm={t("share.form.discard")}
      onConfirm={async () => onDiscard()}
      onClose={onClose}
    />
  );
}

/** Asks before a link within the app, the browser's Back, or the browser itself leaves a form that is not saved. */
export function Unsaved({ touched }: { readonly touched: boolean }) {
  const navigate = useNavigate();
  const [leaving, setLeaving] = useState<{ readonly go: () => unknown }>();
  useBackGuard(touched, (go) => setLeaving({ go }));

  useEffect(() => {
    if (!touched) return;
    const onUnload = (event: Event) => event.preventDefault();
    const onClick = (event: MouseEvent) => {
      const to = leavesTo(event);
      if (to === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      setLeaving({ go: () => navigate(to) });
    };
    window.addEventListener("beforeunload", onUnload);
    // Before the router hears of the click.
    document.addEventListener("click", onClick, true);
    return () => {
      window.removeEventListener("beforeunload", onUnload);
      document.removeEventListener("click", onClick, true);
    };
  }, [touched, navigate]);

  if (!leaving) return null;
  return <DiscardDialog onDiscard={leaving.go} onClose={() => setLeaving(undefined)} />;
}

/** The address within the app that a click is about to put in this page's place. */
function leavesTo(event: MouseEvent): string | undefined {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return undefined;
  if (link.target === "_blank" || link.hasAttribute("download") || link.origin !== location.origin) return undefined;
  if (link.hash && link.pathname === location.pathname && link.search === location.search) return undefined;
  const path = pathFrom(link.pathname);
  return path && path + link.search + link.hash;
}
