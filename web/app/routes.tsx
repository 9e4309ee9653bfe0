import { matchRoutes, Navigate, type RouteObject } from "react-router-dom";
import type { WordKey } from "../i18n/i18n.ts";
import { LazyPage, type PageSource, pageSource } from "./lazy-page.tsx";
import { Shell } from "./shell.tsx";

/** What the shell knows about a route besides its page. */
interface RouteHandle {
  readonly title?: Extract<WordKey, `shell.titles.${string}`>;
  readonly source?: PageSource;
}

const Home = pageSource(
  async () => (await import("../features/paste/home.tsx")).Home,
  ["share", "paste", "reading", "editing", "leaving"],
);
const PasteView = pageSource(async () => (await import("../features/paste/view.tsx")).default, ["share", "reading"]);
const Upload = pageSource(
  async () => (await import("../features/upload/upload.tsx")).Upload,
  ["share", "paste", "file", "upload", "leaving"],
);
const FileView = pageSource(
  async () => (await import("../features/file-view/file-view.tsx")).default,
  ["share", "file"],
);
// Its pages are a table of their own (admin-pages.tsx), because readers of a share need none of them.
const Admin = pageSource(
  async (path) => {
    const { GuardedAdmin, preloadAdminAt } = await import("./guarded-admin.tsx");
    await preloadAdminAt(path);
    return GuardedAdmin;
  },
  ["admin", "leaving"],
);
const Explorer = pageSource(
  async () => (await import("./guarded-explorer.tsx")).GuardedExplorer,
  ["share", "paste", "file", "upload", "explorer", "search", "basket", "tasks", "trash", "link", "connect"],
);
const Link = pageSource(
  async () => (await import("./link-or-sealed.tsx")).LinkOrSealed,
  ["share", "file", "upload", "explorer", "tasks", "link"],
);

// The key keeps what one page has loaded from counting for the next one in its place.
const page = (source: PageSource, title: RouteHandle["title"]): Pick<RouteObject, "element" | "handle"> => ({
  element: <LazyPage key={title} source={source} />,
  handle: { source, title } satisfies RouteHandle,
});

/** Every address of the app. */
export const routes: RouteObject[] = [
  {
    element: <Shell />,
    children: [
      { path: "/", ...page(Home, "shell.titles.home") },
      { path: "/paste/:slug", ...page(PasteView, "shell.titles.paste") },
      { path: "/upload", ...page(Upload, "shell.titles.upload") },
      { path: "/mount-explorer/*", ...page(Explorer, "shell.titles.explorer") },
      { path: "/file/:slug", ...page(FileView, "shell.titles.file") },
      { path: "/s/:slug/*", ...page(Link, "shell.titles.link") },
      { path: "/in/:slug", ...page(Link, "shell.titles.link") },
      { path: "/admin/*", ...page(Admin, "shell.titles.admin") },
      { path: "*", element: <Navigate to="/" replace /> },
    ],
  },
];

/** What is declared of an address, from the outermost route to the innermost. */
const handlesAt = (path: string): RouteHandle[] =>
  (matchRoutes(routes, path) ?? []).flatMap(({ route }) => (route.handle ? [route.handle as RouteHandle] : []));

/** The name of the title at an address: that of the innermost route that has one. */
export const titleAt = (path: string): RouteHandle["title"] =>
  handlesAt(path).findLast(({ title }) => title)?.title ?? "shell.titles.home";

/** Loads what an address shows before it is shown. A failure is left to the page, which offers to try again. */
export async function preloadAt(path: string): Promise<void> {
  await Promise.allSettled(handlesAt(path).map(({ source }) => source?.load(path)));
}
