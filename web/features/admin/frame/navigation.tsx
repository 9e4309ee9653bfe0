import LogOut from "lucide-react/icons/log-out";
import Plug from "lucide-react/icons/plug";
import { useSession } from "../../../api/session/session.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useOwnKey } from "../../../ui/connect/use-own-key.tsx";
import { PlaceLink } from "../../../ui/link.tsx";
import { useSignOut } from "../../../ui/session/sign-out.tsx";
import { moduleGroups } from "./modules.ts";

const item =
  "flex h-9 shrink-0 items-center gap-2.5 rounded-lg px-3 font-medium text-muted transition-colors hover:bg-sunken hover:text-text " +
  "aria-[current=page]:bg-sunken aria-[current=page]:text-text max-md:h-11 pointer-coarse:h-11 [&_svg]:size-[18px] [&_svg]:shrink-0";

/** Whose panel it is. */
export function usePanelTitle(): string {
  useLanguage();
  return t(useSession().authType === "apikey" ? "admin.nav.keyPanel" : "admin.nav.label");
}

interface NavigationProps {
  /** The addresses of the pages that may be opened. */
  readonly open: readonly string[];
  /** Called when somebody goes somewhere. */
  readonly onGo?: () => void;
}

/** The way to every page of the area that may be opened, and out of it. */
export function Navigation({ open, onGo }: NavigationProps) {
  useLanguage();
  const title = usePanelTitle();
  const isKey = useSession().authType === "apikey";
  const groups = moduleGroups
    .map(({ name, modules }) => ({ name, modules: modules.filter(({ to }) => open.includes(to)) }))
    .filter(({ modules }) => modules.length > 0);
  return (
    <>
      <nav aria-label={title} className="grid gap-4">
        {groups.map(({ name, modules }) => (
          <div key={modules[0]?.to} className="grid gap-0.5">
            {name && <p className="px-3 pt-1 pb-1 font-medium text-muted text-xs">{t(name)}</p>}
            {modules.map(({ to, label, Icon }) => (
              <PlaceLink key={to} to={to} onClick={onGo} className={item}>
                <Icon aria-hidden />
                {t(label)}
              </PlaceLink>
            ))}
          </div>
        ))}
      </nav>
      <div className="mt-4 grid gap-0.5">
        {isKey && <OwnKeyButton />}
        <LogOutButton />
      </div>
    </>
  );
}

/** How programs use the key that is signed in. */
function OwnKeyButton() {
  useLanguage();
  const { press, sheet } = useOwnKey();
  return (
    <>
      <button type="button" onClick={press} className={`${item} w-full text-left`}>
        <Plug aria-hidden />
        {t("leaving.elsewhere")}
      </button>
      {sheet}
    </>
  );
}

/** Ends the session; asks first when that would break off uploads, or lose changes. */
function LogOutButton() {
  useLanguage();
  const { press, question } = useSignOut();
  return (
    <>
      <button type="button" onClick={press} className={`${item} w-full text-left`}>
        <LogOut aria-hidden />
        {t("leaving.logOut")}
      </button>
      {question}
    </>
  );
}

/** Whose panel it is, and which key it is open for. */
export function PanelTitle() {
  const state = useSession();
  return (
    <p className="min-w-0">
      <span className="block font-semibold">{usePanelTitle()}</span>
      {state.authType === "apikey" && (
        <span title={state.name} className="block truncate text-muted text-xs">
          {state.name}
        </span>
      )}
    </p>
  );
}
