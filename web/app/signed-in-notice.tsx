import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { t, useLanguage } from "../i18n/i18n.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";

/** Told once, on the page where the one-time link has led. */
export function SignedInNotice() {
  useLanguage();
  const { state, pathname, search } = useLocation();
  const navigate = useNavigate();
  /** The page on which it is told. */
  const [at, setAt] = useState<string>();
  const arrived = isSignedIn(state);

  useEffect(() => {
    if (!arrived) return;
    setAt(pathname);
    // The history keeps its state: after a reload it would be told again.
    navigate(pathname + search, { replace: true });
  }, [arrived, pathname, search, navigate]);
  useEffect(() => setAt((before) => (before === pathname ? before : undefined)), [pathname]);

  if (!arrived && at !== pathname) return null;

  const actions = (
    <div className="-my-1 flex flex-wrap gap-1">
      <ButtonLink to="/admin/account" variant="plain" className="text-ok">
        {t("shell.signedIn.account")}
      </ButtonLink>
      <Button variant="plain" className="text-ok" onClick={() => setAt(undefined)}>
        {t("shell.signedIn.dismiss")}
      </Button>
    </div>
  );
  return (
    <div className="mx-auto w-full max-w-fluid px-4 pt-3 max-sm:pb-3">
      <Notice tone="ok" action={actions}>
        {t("shell.signedIn.text")}
      </Notice>
    </div>
  );
}

const isSignedIn = (state: unknown): boolean =>
  typeof state === "object" && state !== null && "notice" in state && state.notice === "signedIn";
