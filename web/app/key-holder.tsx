import LogOut from "lucide-react/icons/log-out";
import Plug from "lucide-react/icons/plug";
import { useSession } from "../api/session/session.ts";
import { t, useLanguage } from "../i18n/i18n.ts";
import { Button } from "../ui/button.tsx";
import { useOwnKey } from "../ui/connect/use-own-key.tsx";
import { useSignOut } from "../ui/session/sign-out.tsx";

/** Which key is signed in, how programs use it, and the way out: for keys that no page of the admin area, where these stand, is open to. */
export function KeyHolder() {
  useLanguage();
  const present = useSession();
  const { press, question } = useSignOut();
  const own = useOwnKey();
  if (present.authType !== "apikey") return null;
  const as = t("leaving.as", { name: present.name });
  return (
    <div className="flex min-w-0 items-center gap-1 max-sm:flex-col max-sm:items-stretch max-sm:border-line max-sm:border-t max-sm:pt-2">
      <span title={as} className="truncate px-3 text-[13px] text-muted sm:hidden lg:inline lg:max-w-64 lg:px-1">
        {as}
      </span>
      <Button
        variant="plain"
        icon={<Plug aria-hidden />}
        onClick={own.press}
        className="max-sm:h-11 max-sm:justify-start max-sm:px-3"
      >
        {t("leaving.elsewhere")}
      </Button>
      <Button
        variant="plain"
        icon={<LogOut aria-hidden />}
        title={as}
        onClick={press}
        className="max-sm:h-11 max-sm:justify-start max-sm:px-3"
      >
        {t("leaving.logOut")}
      </Button>
      {own.sheet}
      {question}
    </div>
  );
}
