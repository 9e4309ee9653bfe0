import BellRing from "lucide-react/icons/bell-ring";
import Cable from "lucide-react/icons/cable";
import Database from "lucide-react/icons/database";
import DatabaseBackup from "lucide-react/icons/database-backup";
import Eye from "lucide-react/icons/eye";
import File from "lucide-react/icons/file";
import FileInput from "lucide-react/icons/file-input";
import FileText from "lucide-react/icons/file-text";
import FolderTree from "lucide-react/icons/folder-tree";
import KeyRound from "lucide-react/icons/key-round";
import LayoutDashboard from "lucide-react/icons/layout-dashboard";
import Link2 from "lucide-react/icons/link-2";
import Palette from "lucide-react/icons/palette";
import Server from "lucide-react/icons/server";
import Share2 from "lucide-react/icons/share-2";
import SlidersHorizontal from "lucide-react/icons/sliders-horizontal";
import UserRound from "lucide-react/icons/user-round";
import Users from "lucide-react/icons/users";
import type { WordKey } from "../../../i18n/i18n.ts";

/** One page of the admin area as its navigation shows it. */
interface Module {
  readonly to: string;
  readonly label: Extract<WordKey, `admin.nav.${string}`>;
  readonly Icon: typeof File;
}

/** Modules that stand together, below a name if they have one. */
interface ModuleGroup {
  readonly name?: Extract<WordKey, `admin.nav.${string}`>;
  readonly modules: readonly Module[];
}

/** Every module in the order of the navigation; guards.ts says whose each is. */
export const moduleGroups: readonly ModuleGroup[] = [
  { modules: [{ to: "/admin/dashboard", label: "admin.nav.dashboard", Icon: LayoutDashboard }] },
  {
    modules: [
      { to: "/admin/text-management", label: "admin.nav.texts", Icon: FileText },
      { to: "/admin/file-management", label: "admin.nav.files", Icon: File },
      { to: "/admin/link-management", label: "admin.nav.links", Icon: Link2 },
    ],
  },
  {
    modules: [
      { to: "/admin/key-management", label: "admin.nav.keys", Icon: KeyRound },
      { to: "/admin/visitors", label: "admin.nav.visitors", Icon: Users },
      { to: "/admin/mount-management", label: "admin.nav.mounts", Icon: FolderTree },
      { to: "/admin/storage-config", label: "admin.nav.storages", Icon: Database },
    ],
  },
  {
    name: "admin.nav.settings",
    modules: [
      { to: "/admin/account", label: "admin.nav.account", Icon: UserRound },
      { to: "/admin/settings/site", label: "admin.nav.site", Icon: Palette },
      { to: "/admin/settings/sharing", label: "admin.nav.sharing", Icon: Share2 },
      { to: "/admin/settings/global", label: "admin.nav.global", Icon: SlidersHorizontal },
      { to: "/admin/settings/preview", label: "admin.nav.preview", Icon: Eye },
      { to: "/admin/settings/webdav", label: "admin.nav.webdav", Icon: Cable },
      { to: "/admin/settings/backup", label: "admin.nav.backup", Icon: DatabaseBackup },
      { to: "/admin/settings/notifications", label: "admin.nav.notifications", Icon: BellRing },
      { to: "/admin/import", label: "admin.nav.import", Icon: FileInput },
      { to: "/admin/system", label: "admin.nav.system", Icon: Server },
    ],
  },
];
