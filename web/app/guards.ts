import type { RouteObject } from "react-router-dom";
import { cleanPath, within } from "#contract/paths";
import { allows } from "#contract/permissions";
import type { SessionState } from "../api/credential.ts";
import { adminPages, handlesAt, type RouteHandle } from "./routes.tsx";

const HOME = "/";
const ADMIN = "/admin";
const EXPLORER = "/mount-explorer";

/**
 * Where somebody is sent who may not be at an address (SPEC section 2); undefined when they may. Who is not signed in is
 * never sent away: the admin area asks them to sign in.
 */
export function guard(path: string, state: SessionState): string | undefined {
  if (state.authType === "none") return undefined;
  const { needs, source } = handlesAt(path).at(-1) ?? {};
  if (!needs || (source && holds(state, needs))) return undefined;
  return firstPage(state);
}

/** Sends a key that opens a path of the mounts outside its base path to that. */
export function explorerGuard(path: string, state: SessionState): string | undefined {
  if (state.authType !== "apikey" || !(path === EXPLORER || path.startsWith(`${EXPLORER}/`))) return undefined;
  const { basePath } = state;
  const asked = folderAt(path);
  if (asked !== undefined && within(basePath, asked)) return undefined;
  return basePath === "/" ? EXPLORER : EXPLORER + basePath.split("/").map(encodeURIComponent).join("/");
}

/** The folder that an address of the explorer names; undefined when it names none. */
function folderAt(path: string): string | undefined {
  try {
    return cleanPath(`/${decodeURIComponent(path.slice(EXPLORER.length))}`);
  } catch {
    // A percent sign that begins no code (RFC 3986 section 2.1).
    return undefined;
  }
}

const holds = (state: SessionState, needs: NonNullable<RouteHandle["needs"]>): boolean =>
  state.authType === "admin" || (state.authType === "apikey" && needs !== "admin" && allows(state.permissions, needs));

/** The first page of the admin area that somebody may see; Home when there is none. */
function firstPage(state: SessionState): string {
  const first = adminPages.find(({ handle }: RouteObject) => {
    const { needs, source } = handle as RouteHandle;
    return source && needs && holds(state, needs);
  });
  if (!first) return HOME;
  return first.path ? `${ADMIN}/${first.path}` : ADMIN;
}
