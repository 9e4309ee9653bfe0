import Database from "lucide-react/icons/database";
import File from "lucide-react/icons/file";
import FileText from "lucide-react/icons/file-text";
import FolderTree from "lucide-react/icons/folder-tree";
import KeyRound from "lucide-react/icons/key-round";
import LogOut from "lucide-react/icons/log-out";
import UserRound from "lucide-react/icons/user-round";
import { Activity, type ReactNode, useRef, useState } from "react";
import { NavLink } from "react-router-dom";
import type { Permission } from "#contract/permissions";
import { rightsOf } from "../../api/rights.ts";
import { session, useSession, useSignOutReason } from "../../api/session.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { useStore } from "../../lib/store.ts";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { signingOut } from "../../ui/signing-out.ts";
import { Login } from "./login/login.tsx";
import { useSignInLink } from "./sign-in-link.ts";

interface Module {
  readonly to: string;
  readonly label: `admin.nav.${"texts" | "files" | "keys" | "storages" | "mounts" | "account"}`;
  readonly Icon: typeof File;
  /** As its route declares it. */
  readonly needs: "admin" | Permission;
}

const modules: readonly Module[] = [
  { to: "/admin/text-management", label: "admin.nav.texts", Icon: FileText, needs: "text" },
  { to: "/admin/file-management", label: "admin.nav.files", Icon: File, needs: "file_share" },
  { to: "/admin/key-management", label: "admin.nav.keys", Icon: KeyRound, needs: "admin" },
  { to: "/admin/storage-config", label: "admin.nav.storages", Icon: Database, needs: "admin" },
  { to: "/admin/mount-management", label: "admin.nav.mounts", Icon: FolderTree, needs: "admin" },
  { to: "/admin/account", label: "admin.nav.account", Icon: UserRound, needs: "admin" },
];

/** The admin area: a sign-in card for strangers, else the page of a module beside the modules that one may open. */
export function Admin({ children }: { readonly children: ReactNode }) {
  useLanguage();
  const state = useSession();
  const link = useSignInLink();
  const sitting = useStore(session.sitting);
  const reason = useSignOutReason();
  const signedIn = state.authType !== "none";
  const hasBeen = useRef(false);
  if (signedIn) hasBeen.current = true;
  // A session that nobody logged out of may have left a form half filled in: it waits, unseen, for the same person to come back.
  const waits = hasBeen.current && reason !== "loggedOut";
  if (link === "opening") return <Opening />;
  return (
    <>
      {signedIn ? null : <Login linkIsDead={link === "dead"} />}
      {signedIn || waits ? (
        <Activity key={sitting} mode={signedIn ? "visible" : "hidden"}>
          <div className="mx-auto flex w-full max-w-6xl flex-1 flex-col md:flex-row md:gap-8 md:px-4">
            <Navigation />
            <div className="min-w-0 flex-1 px-4 py-5 md:px-0 md:py-8">{children}</div>
          </div>
        </Activity>
      ) : null}
    </>
  );
}

const Opening = () => (
  <p role="status" className="grid flex-1 place-items-center p-8 text-muted">
    {t("admin.login.setupOpening")}
  </p>
);

const action =
  "flex h-11 shrink-0 items-center gap-2.5 whitespace-nowrap px-3 font-medium text-muted transition-colors hover:text-text " +
  "[&_svg]:size-[18px] [&_svg]:shrink-0 max-md:gap-2 max-md:px-2.5 " +
  "md:h-9 md:rounded-lg md:pointer-coarse:h-11 md:hover:bg-sunken ";

const item =
  `${action} aria-[current=page]:text-text md:aria-[current=page]:bg-sunken max-sm:[&_svg]:hidden ` +
  "max-md:border-transparent max-md:border-b-2 max-md:aria-[current=page]:border-accent";

/** Beside the page on a desk; on a phone tabs above it, and the way out above these, so that it is always in sight. */
function Navigation() {
  useLanguage();
  const state = useSession();
  const { admin, may } = rightsOf(state, "unknown");
  const open = modules.filter(({ needs }) => (needs === "admin" ? admin : may(needs)));
  const title = t(state.authType === "apikey" ? "admin.nav.keyPanel" : "admin.nav.label");
  return (
    <div className="flex flex-wrap items-center pt-1 md:w-44 md:shrink-0 md:flex-col md:flex-nowrap md:items-stretch md:py-8">
      <p className="flex min-w-0 flex-1 items-baseline gap-2 pl-4 md:mb-2 md:block md:flex-none md:px-3">
        <span className="shrink-0 font-semibold">{title}</span>
        {state.authType === "apikey" && (
          <span title={state.name} className="block min-w-0 truncate text-muted text-xs">
            {state.name}
          </span>
        )}
      </p>
      <nav
        aria-label={title}
        className="flex gap-1 overflow-x-auto border-line border-b px-1.5 max-md:order-last max-md:w-full md:flex-col md:overflow-visible md:border-b-0 md:px-0"
      >
        {open.map(({ to, label, Icon }) => (
          <NavLink key={to} to={to} className={item}>
            <Icon aria-hidden />
            {t(label)}
          </NavLink>
        ))}
      </nav>
      <LogOutButton />
    </div>
  );
}

/** Ends the session; asks first when that would break off uploads. */
function LogOutButton() {
  useLanguage();
  const [asking, setAsking] = useState(false);
  const press = () => (signingOut.get()?.() ? setAsking(true) : session.logout());
  return (
    <>
      <button type="button" onClick={press} className={`${action} max-md:mr-1.5 md:mt-4`}>
        <LogOut aria-hidden />
        {t("admin.nav.logout")}
      </button>
      {asking && (
        <ConfirmDialog
          danger
          title={t("admin.logout.title")}
          text={t("admin.logout.text")}
          confirm={t("admin.logout.confirm")}
          cancel={t("admin.logout.stay")}
          onConfirm={session.logout}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
