import { browserStorage, type KeyValue } from "../lib/storage.ts";
import { createStore, useStore } from "../lib/store.ts";

const themeModes = ["auto", "light", "dark"] as const;
type ThemeMode = (typeof themeModes)[number];
export type ShownTheme = "light" | "dark";

/** The same key as in the page (src/fronts/site/head.ts), which sets the theme before the first paint. */
const KEY = "themeMode";

interface ThemePorts {
  readonly storage: KeyValue;
  readonly root: HTMLElement;
  /** Whether the system prefers dark, and its changes. */
  readonly systemDark: Pick<MediaQueryList, "matches" | "addEventListener">;
}

const isMode = (text: string | null): text is ThemeMode => themeModes.some((mode) => mode === text);

/** The theme: the person's choice, and the shown one, which may follow the system. */
export function createTheme({ storage, root, systemDark }: ThemePorts) {
  const saved = storage.get(KEY);
  const mode = createStore<ThemeMode>(isMode(saved) ? saved : "auto");
  const shown = createStore<ShownTheme>("light");

  const apply = () => {
    const dark = mode.get() === "dark" || (mode.get() === "auto" && systemDark.matches);
    shown.set(dark ? "dark" : "light");
    root.dataset.theme = shown.get();
  };
  systemDark.addEventListener("change", apply);
  apply();

  return {
    mode,
    shown,
    /** Goes on to the next of auto, light, dark. */
    cycle() {
      const next = themeModes[(themeModes.indexOf(mode.get()) + 1) % themeModes.length] ?? "auto";
      mode.set(next);
      storage.set(KEY, next);
      apply();
    },
  };
}

/** The theme of this page. */
export const theme = createTheme({
  storage: browserStorage,
  root: document.documentElement,
  systemDark: window.matchMedia("(prefers-color-scheme: dark)"),
});

/** The person's choice. */
export const useThemeMode = (): ThemeMode => useStore(theme.mode);

/** The shown theme, for parts that CSS cannot theme. */
export const useShownTheme = (): ShownTheme => useStore(theme.shown);
