import CodeXml from "lucide-react/icons/code-xml";
import Monitor from "lucide-react/icons/monitor";
import Moon from "lucide-react/icons/moon";
import Sun from "lucide-react/icons/sun";
import { languages, nextLanguage } from "#contract/languages";
import { setLanguage, t, useLanguage } from "../i18n/i18n.ts";
import { classes } from "../lib/classes.ts";
import { theme, useThemeMode } from "../lib/theme.ts";
import { IconButton } from "../ui/button.tsx";
import { toast } from "../ui/toast.ts";

const icons = { auto: Monitor, light: Sun, dark: Moon } as const;

/** Goes round auto, light and dark; says which one it is. */
export function ThemeSwitch() {
  useLanguage();
  const mode = useThemeMode();
  const Icon = icons[mode];
  return (
    <IconButton label={t(`shell.theme.${mode}`)} onClick={theme.cycle}>
      <Icon aria-hidden />
    </IconButton>
  );
}

/** Changes to the next language; named in the one that it leads to. */
export function LanguageSwitch() {
  const next = nextLanguage(useLanguage());
  const { tag, button } = languages[next];
  const change = async () => {
    try {
      await setLanguage(next);
    } catch {
      await toast({ tone: "error", text: t("shell.failure.network") });
    }
  };
  return (
    <IconButton label={button.label} lang={tag} onClick={change}>
      <span aria-hidden className="font-semibold text-[13px]">
        {button.text}
      </span>
    </IconButton>
  );
}

interface SourceLinkProps {
  /** With words instead of only the icon, for the menu. */
  readonly labelled?: boolean;
  readonly className?: string;
}

/** Where this program's source is; nothing unless whoever runs it says where (SOURCE_URL). */
export function SourceLink({ labelled = false, className }: SourceLinkProps) {
  useLanguage();
  const label = t("shell.nav.source");
  const address = window.appConfig?.sourceUrl;
  if (!address) return null;
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      title={label}
      aria-label={labelled ? undefined : label}
      className={classes(
        "inline-flex items-center rounded-lg text-muted transition-colors hover:bg-sunken hover:text-text [&_svg]:size-[18px]",
        labelled ? "h-11 gap-2 px-3 font-medium" : "size-9 justify-center pointer-coarse:size-11",
        className,
      )}
    >
      {labelled ? label : <CodeXml aria-hidden />}
    </a>
  );
}
