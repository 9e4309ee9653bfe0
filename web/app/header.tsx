import Menu from "lucide-react/icons/menu";
import X from "lucide-react/icons/x";
import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router-dom";
import { holds } from "../api/session/may-change.ts";
import { useSession } from "../api/session/session.ts";
import { loadWords, t, useLanguage } from "../i18n/i18n.ts";
import { useStore } from "../lib/store.ts";
import { useCode } from "../page/code.ts";
import { IconButton } from "../ui/button.tsx";
import { headerNote } from "../ui/header-note.ts";
import { Link, PlaceLink } from "../ui/link.tsx";
import { BRAND_PLACE, BrandMark } from "./brand.tsx";
import { LanguageChooser, SourceLink, ThemeSwitch } from "./switches.tsx";

const places = [
  { to: "/", label: "shell.nav.home" },
  { to: "/upload", label: "shell.nav.upload" },
  { to: "/mount-explorer", label: "shell.nav.explorer" },
  { to: "/admin", label: "shell.nav.admin" },
] as const;

/** The bar at the top: brand, places, switches; on a phone the places are behind a menu button. */
export function Header() {
  useLanguage();
  const { pathname } = useLocation();
  const Note = useStore(headerNote);
  const barred = useIsBarred();
  const received = useIsReceived(pathname);
  const [open, setOpen] = useState(false);
  const bar = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: going somewhere closes the menu
  useEffect(() => setOpen(false), [pathname]);
  useEffect(() => {
    if (!open) return;
    const leave = (event: Event) => {
      if (event.target instanceof Node && !bar.current?.contains(event.target)) setOpen(false);
    };
    const escaped = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener("pointerdown", leave);
    document.addEventListener("keydown", escaped);
    return () => {
      document.removeEventListener("pointerdown", leave);
      document.removeEventListener("keydown", escaped);
    };
  }, [open]);

  return (
    <header ref={bar} className="sticky top-0 z-30 border-line border-b bg-surface">
      <div className="mx-auto flex h-14 max-w-fluid items-center gap-1 px-4">
        <Link to="/" className={BRAND_PLACE}>
          <BrandMark />
          {t("shell.brand")}
        </Link>
        {!received && (
          <nav aria-label={t("shell.nav.label")} className="hidden items-center gap-1 sm:flex">
            <Places barred={barred} />
          </nav>
        )}
        <div className="ml-auto flex items-center gap-0.5">
          {Note && <Note />}
          {barred && (
            <div className="max-sm:hidden">
              <LazyKeyHolder />
            </div>
          )}
          <SourceLink className="max-sm:hidden" />
          <LanguageChooser />
          <ThemeSwitch />
          {!received && (
            <IconButton
              ref={button}
              label={open ? t("shell.nav.close") : t("shell.nav.open")}
              aria-expanded={open}
              aria-controls="menu"
              className="-mr-2 sm:hidden"
              onClick={() => setOpen(!open)}
            >
              {open ? <X aria-hidden /> : <Menu aria-hidden />}
            </IconButton>
          )}
        </div>
      </div>
      {open && (
        <nav
          id="menu"
          aria-label={t("shell.nav.label")}
          className="absolute inset-x-0 top-full grid max-h-[calc(100dvh-3.5rem)] gap-1 overflow-y-auto border-line border-b bg-surface p-2 shadow-float sm:hidden"
        >
          <Places barred={barred} />
          <SourceLink labelled />
          {barred && <LazyKeyHolder />}
        </nav>
      )}
    </header>
  );
}

/** Whether no page of the admin area is open to who is there: a key that may share neither texts nor files. */
function useIsBarred(): boolean {
  const state = useSession();
  return state.authType === "apikey" && !holds(state, "text") && !holds(state, "file_share");
}

/** Whether somebody without an account was sent to this page by a link: it offers what they got, and nothing else of the site. */
function useIsReceived(pathname: string): boolean {
  const { authType } = useSession();
  return authType === "none" && /^\/(s|in)\//.test(pathname);
}

/** Who is signed in and the way out, where no page of the admin area offers them; others never load it. */
function LazyKeyHolder() {
  const { data } = useCode("the holder of a key", async () => {
    const [code] = await Promise.all([import("./key-holder.tsx"), loadWords("leaving")]);
    return code;
  });
  return data ? <data.KeyHolder /> : null;
}

/** The places for who is there. */
function Places({ barred }: { readonly barred: boolean }) {
  useLanguage();
  const open = barred ? places.filter(({ to }) => to !== "/admin") : places;
  return open.map(({ to, label }) => (
    <PlaceLink
      key={to}
      to={to}
      className="flex h-9 items-center rounded-lg px-3 font-medium text-muted transition-colors hover:bg-sunken hover:text-text aria-[current=page]:bg-sunken aria-[current=page]:text-text max-sm:h-11 pointer-coarse:h-11"
    >
      {t(label)}
    </PlaceLink>
  ));
}
