import { useEffect, useState } from "react";
import { type Location, Navigate, Outlet, useLocation } from "react-router-dom";
import type { SessionState } from "../api/credential.ts";
import { session, useSession } from "../api/session.ts";
import { Admin } from "../features/admin/admin.tsx";
import { guard } from "./guards.ts";
import { Loading } from "./lazy-page.tsx";

/** How long the server is waited for before the rights that are known decide, in milliseconds. */
const PATIENCE = 1000;

/** The admin area with the guards at its door: the one place where they are asked. */
export function GuardedAdmin() {
  const location = useLocation();
  const settled = useSettled(location.pathname);
  const target = targetOf(location, useSession());
  // The one-time link signs in by itself, whoever is signed in and whatever they may.
  if (isSignInLink(location)) return <Admin>{null}</Admin>;
  if (settled === undefined) return <Loading />;
  const isSettled = settled === location.pathname;
  if (isSettled && target !== undefined) {
    return (
      <>
        <Loading />
        <Navigate to={target} replace />
      </>
    );
  }
  return <Admin>{isSettled ? <Outlet /> : <Loading />}</Admin>;
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

/** Where to go from a location instead of staying: back to where one was sent from to sign in, or where the guards say. */
const targetOf = ({ pathname, state }: Location, session: SessionState): string | undefined =>
  (session.authType === "none" ? undefined : returnTo(state)) ?? guard(pathname, session);

const isSignInLink = ({ hash }: Location): boolean => hash.startsWith("#setup=");

const returnTo = (state: unknown): string | undefined =>
  typeof state === "object" && state !== null && "returnTo" in state && typeof state.returnTo === "string"
    ? state.returnTo
    : undefined;
