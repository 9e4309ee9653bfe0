import { useEffect, useState } from "react";
import { accentShades, accentStyle, isAccent, ourAccent, type ThemeName } from "#contract/accent";
import { isName } from "#contract/fields";
import { MAX_SITE_NAME_CHARACTERS } from "#contract/limits";
import { settingGroup, useSettings } from "../../../api/settings.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { OUR_NAME } from "../../../page/site.ts";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/form/field.tsx";
import { Section } from "../frame/section.tsx";
import { LogoField } from "./logo-field.tsx";
import { SettingsLoading, SettingsPage } from "./settings-page.tsx";
import { useSettingsForm } from "./use-settings-form.ts";
import { useShowAgain } from "./use-show-again.ts";

interface SiteValues {
  readonly name: string;
  readonly accent: string;
}

/** From which a choice begins. */
const OURS = ourAccent.light.accent;

const settingsOf = ({ name, accent }: SiteValues) => ({ site_name: name.trim(), site_accent: accent.trim() });

function problemsIn({ name, accent }: SiteValues): Readonly<Record<string, string>> {
  const isWrong = name.trim() !== "" && (!isName(name.trim()) || name.trim().length > MAX_SITE_NAME_CHARACTERS);
  const isColour = accent.trim() === "" || isAccent(accent.trim());
  return {
    ...(isWrong && { site_name: t("admin.settings.site.nameWrong") }),
    ...(!isColour && { site_accent: t("admin.settings.site.accentWrong") }),
  };
}

/** What the site is called, and how it looks. */
export function SiteSettings() {
  useLanguage();
  const { data, error, refetch } = useSettings(settingGroup.site);
  if (!data) return <SettingsLoading title={t("admin.nav.site")} error={error} onRetry={refetch} sections={2} />;
  return <SiteForm before={{ name: data.site_name?.value ?? "", accent: data.site_accent?.value ?? "" }} />;
}

function SiteForm({ before }: { readonly before: SiteValues }) {
  useLanguage();
  const state = useSettingsForm({ group: settingGroup.site, before, settingsOf, problemsIn });
  const { values, fill, problems, outcome } = state;
  const showAgain = useShowAgain();
  const saved = outcome === "saved" || outcome === "partly";
  useEffect(() => {
    if (!saved) return;
    showAccent(isAccent(before.accent) ? before.accent : "");
    showAgain();
  }, [saved, before.accent, showAgain]);
  return (
    <SettingsPage title={t("admin.nav.site")} state={state}>
      <Section title={t("admin.settings.site.title")} text={t("admin.settings.site.text")}>
        <div className="grid gap-5">
          <TextField
            label={t("admin.settings.site.name")}
            value={values.name}
            maxLength={MAX_SITE_NAME_CHARACTERS}
            placeholder={OUR_NAME}
            hint={t("admin.settings.site.nameHint", { ours: OUR_NAME })}
            error={problems.site_name}
            onChange={({ target }) => fill({ name: target.value })}
          />
          <LogoField />
        </div>
      </Section>
      <Section title={t("admin.settings.site.accentTitle")} text={t("admin.settings.site.accentText")}>
        <AccentField accent={values.accent} error={problems.site_accent} onChange={(accent) => fill({ accent })} />
      </Section>
    </SettingsPage>
  );
}

/** Gives this page another accent, as the server writes it into pages; empty is ours. */
function showAccent(accent: string): void {
  const style = document.getElementById("accent") ?? document.head.appendChild(document.createElement("style"));
  style.id = "accent";
  style.textContent = accent === "" ? "" : accentStyle(accent);
}

interface AccentFieldProps {
  readonly accent: string;
  readonly error: string | undefined;
  readonly onChange: (accent: string) => void;
}

/** A colour, and what becomes of it in each theme. */
function AccentField({ accent, error, onChange }: AccentFieldProps) {
  useLanguage();
  /** What the samples show, which stays while a colour is being typed; empty is ours. */
  const [shown, setShown] = useState("");
  const typed = accent.trim().toLowerCase();
  const chosen = isAccent(typed) || typed === "" ? typed : shown;
  if (chosen !== shown) setShown(chosen);
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-start gap-2">
        <div className="w-40">
          <TextField
            label={t("admin.settings.site.accent")}
            mono
            value={accent}
            placeholder={OURS}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            error={error}
            onChange={({ target }) => onChange(target.value)}
          />
        </div>
        <input
          type="color"
          aria-label={t("admin.settings.site.accent")}
          value={chosen || OURS}
          onChange={({ target }) => onChange(target.value)}
          className="mt-[27px] h-9 w-12 cursor-pointer rounded-lg border border-line-strong bg-raised p-1 pointer-coarse:h-11"
        />
        {typed !== "" && (
          <Button className="mt-[27px]" onClick={() => onChange("")}>
            {t("admin.settings.site.accentReset")}
          </Button>
        )}
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        <Sample theme="light" chosen={chosen} />
        <Sample theme="dark" chosen={chosen} />
      </div>
      <p className="text-[13px] text-muted">{t("admin.settings.site.accentHint")}</p>
    </div>
  );
}

/** The surfaces of both themes, as in web/styles.css: a page shows only one of them. */
const surfaces = { light: ["#ffffff", "#e6e2dd", "#5c554f"], dark: ["#201d1a", "#322d29", "#aea69e"] } as const;

/** What a theme makes of a colour, as its pages have it; of none, our own. */
function Sample({ theme, chosen }: { readonly theme: ThemeName; readonly chosen: string }) {
  const { accent, text, soft } = chosen === "" ? ourAccent[theme] : accentShades(chosen, theme);
  const [raised, line, muted] = surfaces[theme];
  return (
    <figure className="rounded-lg border p-4" style={{ background: raised, borderColor: line }}>
      <figcaption className="mb-3 text-xs" style={{ color: muted }}>
        {t(theme === "light" ? "admin.settings.site.light" : "admin.settings.site.dark")}
        {chosen !== "" && accent !== chosen && ` · ${t("admin.settings.site.adjusted", { color: accent })}`}
      </figcaption>
      <div className="flex flex-wrap items-center gap-3 text-[13px]">
        <span className="rounded-lg px-3 py-1.5 font-medium" style={{ background: accent, color: text }}>
          {t("admin.settings.site.sample")}
        </span>
        <span className="rounded-full px-3 py-1 font-medium" style={{ background: soft, color: accent }}>
          {t("admin.settings.site.sampleLink")}
        </span>
      </div>
    </figure>
  );
}
