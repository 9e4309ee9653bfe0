import { nameAt } from "#contract/base-path";

/** Where the service worker is: it has no page, and its scope is the base path. */
function ofWorker(): string {
  const { registration } = globalThis as { readonly registration?: { readonly scope: string } };
  return registration ? new URL(registration.scope).pathname.replace(/\/$/, "") : "";
}

/** The path of the host below which the server is (BASE_PATH): the server writes it into its pages. Empty at the root. */
export const basePath: string =
  typeof document === "undefined" ? ofWorker() : (document.documentElement.dataset.basePath ?? "");

/** The path of something of this server as the browser has to ask for it. */
export const pathTo = (path: string): string => basePath + path;

/** The reverse of that; undefined for what is not below the base path. */
export function pathFrom(pathname: string): string | undefined {
  if (basePath === "") return pathname;
  return pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : undefined;
}

/** Where this page is within the app. */
export const ownPath = (): string => pathFrom(window.location.pathname) ?? "/";

/** The name in this browser of what only this server's pages are to find: others may be at another path of the host. */
export const ownName = (name: string): string => nameAt(basePath, name);

/** The reverse of that; undefined for the name of somebody else's. */
export function nameFrom(name: string): string | undefined {
  const begin = ownName("");
  return name.startsWith(begin) ? name.slice(begin.length) : undefined;
}
