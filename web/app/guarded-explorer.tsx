import { Navigate, useLocation } from "react-router-dom";
import { useSession } from "../api/session/session.ts";
import { Explorer } from "../features/explorer/explorer.tsx";
import { explorerGuard } from "./guards.ts";

/** The explorer with the guard at its door: a key stays within its base path. */
export function GuardedExplorer() {
  const { pathname } = useLocation();
  const target = explorerGuard(pathname, useSession());
  return target === undefined ? <Explorer /> : <Navigate to={target} replace />;
}
