import { matchRoutes, type RouteObject } from "react-router-dom";
import { t, useLanguage, type WordKey } from "../i18n/i18n.ts";
import { useOwnTitle } from "../page/page-title.ts";
import type { adminRights } from "./guards.ts";
import { LazyPage, type PageSource, pageSource } from "./lazy-page.tsx";

const Dashboard = pageSource(
  async () => (await import("../features/admin/pages.ts")).Dashboard,
  ["admin", "share", "file"],
);
const Texts = pageSource(
  async () => (await import("../features/admin/pages.ts")).Texts,
  ["admin", "share", "paste", "file", "link", "connect"],
);
const Files = pageSource(
  async () => (await import("../features/admin/pages.ts")).Files,
  ["admin", "share", "file", "link", "connect"],
);
const Links = pageSource(
  async () => (await import("../features/admin/pages.ts")).Links,
  ["admin", "share", "link", "connect"],
);
const Storages = pageSource(
  async () => (await import("../features/admin/pages.ts")).Storages,
  ["admin", "share", "file", "storage", "mount"],
);
const Mounts = pageSource(
  async () => (await import("../features/admin/pages.ts")).Mounts,
  ["admin", "share", "file", "mount"],
);
const Keys = pageSource(async () => (await import("../features/admin/pages.ts")).Keys, ["admin", "share", "connect"]);
const Account = pageSource(async () => (await import("../features/admin/pages.ts")).Account, ["admin", "share"]);
const GlobalSettings = pageSource(
  async () => (await import("../features/admin/pages.ts")).GlobalSettings,
  ["admin", "share"],
);
const SiteSettings = pageSource(
  async () => (await import("../features/admin/pages.ts")).SiteSettings,
  ["admin", "share"],
);
const SharingSettings = pageSource(
  async () => (await import("../features/admin/pages.ts")).SharingSettings,
  ["admin", "share"],
);
const PreviewSettings = pageSource(
  async () => (await import("../features/admin/pages.ts")).PreviewSettings,
  ["admin", "share"],
);
const WebDavSettings = pageSource(
  async () => (await import("../features/admin/pages.ts")).WebDavSettings,
  ["admin", "share"],
);
const BackupSettings = pageSource(
  async () => (await import("../features/admin/pages.ts")).BackupSettings,
  ["admin", "share"],
);
const Notifications = pageSource(
  async () => (await import("../features/admin/pages.ts")).Notifications,
  ["admin", "share"],
);
const Import = pageSource(async () => (await import("../features/admin/pages.ts")).Import, ["admin", "share"]);

const System = pageSource(async () => (await import("../features/admin/pages.ts")).System, ["admin", "share"]);
const Visitors = pageSource(async () => (await import("../features/admin/pages.ts")).Visitors, ["admin", "share"]);

interface AdminPage {
  readonly source: PageSource;
  /** What the document is called while it is shown, before the name of the product: as in the navigation, unless that shortens it. */
  readonly title: Extract<WordKey, `admin.${"nav" | "titles"}.${string}`>;
}

/** Pages of the admin area, each with its row in guards.ts; who may not see one is sent to the first that they may. */
const adminPages: { readonly [Path in keyof typeof adminRights]: AdminPage } = {
  dashboard: { source: Dashboard, title: "admin.nav.dashboard" },
  "text-management": { source: Texts, title: "admin.titles.texts" },
  "file-management": { source: Files, title: "admin.titles.files" },
  "link-management": { source: Links, title: "admin.titles.links" },
  "storage-config": { source: Storages, title: "admin.nav.storages" },
  "key-management": { source: Keys, title: "admin.titles.keys" },
  visitors: { source: Visitors, title: "admin.nav.visitors" },
  "mount-management": { source: Mounts, title: "admin.nav.mounts" },
  account: { source: Account, title: "admin.nav.account" },
  "settings/site": { source: SiteSettings, title: "admin.nav.site" },
  "settings/sharing": { source: SharingSettings, title: "admin.nav.sharing" },
  "settings/global": { source: GlobalSettings, title: "admin.titles.global" },
  "settings/preview": { source: PreviewSettings, title: "admin.titles.preview" },
  "settings/webdav": { source: WebDavSettings, title: "admin.titles.webdav" },
  "settings/backup": { source: BackupSettings, title: "admin.titles.backup" },
  "settings/notifications": { source: Notifications, title: "admin.nav.notifications" },
  import: { source: Import, title: "admin.nav.import" },
  system: { source: System, title: "admin.nav.system" },
};

function Titled({ source, title }: AdminPage) {
  useLanguage();
  useOwnTitle(t(title));
  return <LazyPage source={source} />;
}

/** Every address below /admin. */
export const adminRoutes: RouteObject[] = [
  { index: true, element: null },
  ...Object.entries(adminPages).map(([path, page]) => ({
    path,
    // The key keeps what one page has loaded from counting for the next one in its place.
    element: <Titled key={path} {...page} />,
    handle: page,
  })),
];

/** Loads the page at an address before it is shown. A failure is left to the page, which offers to try again. */
export async function preloadAdminAt(path = ""): Promise<void> {
  const found = matchRoutes<RouteObject>([{ path: "/admin", children: adminRoutes }], path)?.at(-1)?.route.handle;
  if (found) await Promise.allSettled([(found as AdminPage).source.load()]);
}
