import { matchRoutes, Navigate, type RouteObject } from "react-router-dom";
import type { WordKey } from "../i18n/i18n.ts";
import type { adminRights } from "./guards.ts";
import { LazyPage, type PageSource, pageSource } from "./lazy-page.tsx";
import { Shell } from "./shell.tsx";

/** What the shell knows about a route besides its page. */
interface RouteHandle {
  readonly title?: Extract<WordKey, `shell.titles.${string}`>;
  readonly source?: PageSource;
}

const Home = pageSource(
  async () => (await import("../features/paste/home.tsx")).Home,
  ["share", "paste", "reading", "editing"],
);
const PasteView = pageSource(async () => (await import("../features/paste/view.tsx")).default, ["share", "reading"]);
const Upload = pageSource(
  async () => (await import("../features/upload/upload.tsx")).Upload,
  ["share", "paste", "file", "upload"],
);
const FileView = pageSource(
  async () => (await import("../features/file-view/file-view.tsx")).default,
  ["share", "file"],
);
const Admin = pageSource(async () => (await import("./guarded-admin.tsx")).GuardedAdmin, ["admin"]);
const Texts = pageSource(
  async () => (await import("../features/admin/texts/texts.tsx")).Texts,
  ["admin", "share", "paste"],
);
const Files = pageSource(
  async () => (await import("../features/admin/files/files.tsx")).Files,
  ["admin", "share", "file"],
);
const Storages = pageSource(
  async () => (await import("../features/admin/storages/storages.tsx")).Storages,
  ["admin", "share", "file", "storage"],
);
const Mounts = pageSource(
  async () => (await import("../features/admin/mounts/mounts.tsx")).Mounts,
  ["admin", "share", "file", "mount"],
);
const Explorer = pageSource(
  async () => (await import("./guarded-explorer.tsx")).GuardedExplorer,
  ["share", "paste", "file", "upload", "explorer", "search", "basket", "tasks"],
);
const Account = pageSource(async () => (await import("../features/admin/account.tsx")).Account, ["admin"]);

// The key keeps what one page has loaded from counting for the next one in its place.
const page = (source: PageSource, title: RouteHandle["title"]): Pick<RouteObject, "element" | "handle"> => ({
  element: <LazyPage key={title} source={source} />,
  handle: { source, title } satisfies RouteHandle,
});

/** Pages of the admin area, each with its row in guards.ts; who may not see one is sent to the first that they may. */
const adminPages: { readonly [Path in keyof typeof adminRights]: ReturnType<typeof page> } = {
  "text-management": page(Texts, "shell.titles.texts"),
  "file-management": page(Files, "shell.titles.files"),
  "storage-config": page(Storages, "shell.titles.storages"),
  "mount-management": page(Mounts, "shell.titles.mounts"),
  account: page(Account, "shell.titles.account"),
};

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
      {
        path: "/admin",
        ...page(Admin, "shell.titles.admin"),
        children: [
          { index: true, element: null },
          ...Object.entries(adminPages).map(([path, shown]) => ({ path, ...shown })),
        ],
      },
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
  await Promise.allSettled(handlesAt(path).map(({ source }) => source?.load()));
}
