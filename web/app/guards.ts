import { matchRoutes } from "react-router-dom";
import { cleanPath, within } from "#contract/paths";
import type { Permission } from "#contract/permissions";
import type { SessionState } from "../api/session/credential.ts";
import { holds } from "../api/session/may-change.ts";

const HOME = "/";
const ADMIN = "/admin";
const EXPLORER = "/mount-explorer";
const LINKS = "/admin/link-management";

/** The pages below /admin in the order in which the first allowed one is looked for: who may see each, admin or a right of a key. */
export const adminRights = {
  dashboard: "admin",
  "text-management": "text",
  "file-management": "file_share",
  "link-management": "mount_view",
  "key-management": "admin",
  visitors: "admin",
  "mount-management": "admin",
  "storage-config": "admin",
  account: "admin",
  "settings/site": "admin",
  "settings/sharing": "admin",
  "settings/global": "admin",
  "settings/preview": "admin",
  "settings/webdav": "admin",
  "settings/backup": "admin",
  "settings/notifications": "admin",
  import: "admin",
  system: "admin",
} as const satisfies Readonly<Record<string, "admin" | Permission>>;

const pages = Object.entries(adminRights).map(([page, needs]) => ({ path: `${ADMIN}/${page}`, needs }));
// The area itself is nobody's page: it leads to the first.
const guarded = [{ path: ADMIN, needs: undefined }, ...pages];

/** The pages below /admin that a caller may see, in their order. */
export const openPages = (state: SessionState) =>
  pages.filter(({ needs }) => (needs === "admin" ? state.authType === needs : holds(state, needs)));

/**
 * Returns where to send a caller who may not be at an address (SPEC section 2); undefined if they may. Without a
 * session nobody is sent away: the admin area asks them to sign in.
 */
export function guard(path: string, state: SessionState): string | undefined {
  const asked = matchRoutes(guarded, path)?.[0]?.route;
  // What is nobody's page is an unknown address.
  if (!asked) return isBelow(path) ? HOME : undefined;
  if (state.authType === "none") return undefined;
  const allowed = openPages(state);
  if (allowed.some((page) => page === asked)) return undefined;
  // Who has nothing here but links is led to them from the files, and not by the area itself.
  return allowed.find(({ path }) => path !== LINKS)?.path ?? HOME;
}

const isBelow = (path: string): boolean => /^\/admin\//i.test(path);

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
