import { useEffect, useRef, useState } from "react";
import { type Location, Navigate, useLocation, useNavigate, useRoutes } from "react-router-dom";
import { session, useSession } from "../api/session/session.ts";
import { Admin } from "../features/admin/frame/admin.tsx";
import { t, useLanguage } from "../i18n/i18n.ts";
import { useOwnTitle } from "../page/page-title.ts";
import { returnIn } from "../page/return-to.ts";
import { adminRoutes } from "./admin-pages.tsx";
import { guard, openPages } from "./guards.ts";
import { Loading } from "./lazy-page.tsx";

/** How long the server is waited for before the rights that are known decide, in milliseconds. */
const PATIENCE = 1000;

export { preloadAdminAt } from "./admin-pages.tsx";

/** The admin area with the guards at its door: the one place where they are asked. */
export function GuardedAdmin() {
  const location = useLocation();
  const settled = useSettled(location.pathname);
  const present = useSession();
  const back = present.authType === "none" ? undefined : returnIn(location.state);
  const target = back?.returnTo ?? guard(location.pathname, present);
  // The one-time link signs in by itself, whoever is signed in and whatever they may.
  if (isSignInLink(location)) return <Admin open={[]}>{null}</Admin>;
  if (settled === undefined) return <Waiting />;
  const isSettled = settled === location.pathname;
  if (isSettled && target !== undefined) {
    return (
      <>
        <Waiting />
        {back?.isPrevious ? <StepBack /> : <Navigate to={target} replace />}
      </>
    );
  }
  return <Admin open={openPages(present).map(({ path }) => path)}>{isSettled ? <Pages /> : <Waiting />}</Admin>;
}

const Pages = () => useRoutes(adminRoutes);

/** Stands where a page will be, under a title that gives nothing away: it may turn out to be another one. */
function Waiting() {
  useLanguage();
  useOwnTitle(t("shell.nav.admin"));
  return <Loading />;
}

/** Goes back one entry of the history, where the same address would stand twice otherwise. */
function StepBack() {
  const navigate = useNavigate();
  const gone = useRef(false);
  useEffect(() => {
    if (gone.current) return;
    gone.current = true;
    navigate(-1);
  }, [navigate]);
  return null;
}

/**
 * The last address for which the session is fresh enough to be judged by: the server was asked, or is not to be waited for
 * any longer. Undefined until there was one.
 */
function useSettled(path: string): string | undefined {
  const [settled, setSettled] = useState(() => (session.isStale() ? undefined : path));
  const waits = settled !== path && session.isStale();
  useEffect(() => {
    if (!waits) return setSettled(path);
    let left = false;
    const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE));
    void Promise.race([session.revalidate(), patience]).then(() => left || setSettled(path));
    return () => {
      left = true;
    };
  }, [path, waits]);
  return waits ? settled : path;
}

const isSignInLink = ({ hash }: Location): boolean => hash.startsWith("#setup=");
