import CodeXml from "lucide-react/icons/code-xml";
import Languages from "lucide-react/icons/languages";
import Monitor from "lucide-react/icons/monitor";
import Moon from "lucide-react/icons/moon";
import Sun from "lucide-react/icons/sun";
import { isLanguage, languageCodes, languages } from "#contract/languages";
import { setLanguage, t, useLanguage } from "../i18n/i18n.ts";
import { classes } from "../lib/classes.ts";
import { theme, useThemeMode } from "../page/theme.ts";
import { IconButton } from "../ui/button.tsx";
import { toast } from "../ui/toast/toast.ts";

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

/**
 * The chooser of the language: the system's own list below an icon, which phones show as theirs. Each language is called as it calls itself,
 * for those who cannot read the one that is shown.
 */
export function LanguageChooser() {
  const language = useLanguage();
  const choose = async (chosen: string) => {
    if (!isLanguage(chosen)) return;
    try {
      await setLanguage(chosen);
    } catch {
      await toast({ tone: "error", text: t("shell.failure.network") });
    }
  };
  return (
    <span className="relative inline-flex size-9 items-center justify-center rounded-lg text-muted transition-colors focus-within:outline-2 focus-within:outline-accent hover:bg-sunken hover:text-text pointer-coarse:size-11 [&_svg]:size-[18px]">
      <Languages aria-hidden />
      <select
        aria-label={t("shell.language")}
        title={t("shell.language")}
        value={language}
        className="absolute inset-0 cursor-pointer opacity-0"
        onChange={({ target }) => choose(target.value)}
      >
        {languageCodes.map((code) => (
          <option key={code} value={code} lang={languages[code].tag}>
            {languages[code].name}
          </option>
        ))}
      </select>
    </span>
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
