/** The accent of a site: one colour as somebody chose it, and what each theme makes of it so that it can be read (WCAG 2.2, 1.4.3). */

/** What styles.css calls --accent, --accent-hover, --accent-text and --accent-soft. */
interface AccentShades {
  readonly accent: string;
  readonly hover: string;
  /** On a button of the accent. */
  readonly text: string;
  /** Behind words of the accent. */
  readonly soft: string;
}

/** Our own accent, which nobody has chosen: each theme has its colours as web/styles.css has them, and none is made of the other. */
export const ourAccent = {
  light: { accent: "#c2410c", hover: "#a8370a", text: "#ffffff", soft: "#fdeee4" },
  dark: { accent: "#fb923c", hover: "#fda55f", text: "#25130a", soft: "#33221a" },
} as const satisfies Record<string, AccentShades>;

type Rgb = readonly [number, number, number];

/** Reports whether a text is a colour as `#rrggbb`. */
export const isAccent = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/** The contrast that small text needs. */
export const LEAST_CONTRAST = 4.5;

/** The surfaces of each theme on which the accent stands as a word and is hardest to read, as in web/styles.css. */
const themes = {
  light: {
    surfaces: ["#f3f1ee", "#faf9f7", "#ffffff"],
    raised: "#ffffff",
    towards: [0, 0, 0],
    text: ["#ffffff", "#1c1917"],
  },
  dark: {
    surfaces: ["#201d1a", "#171513", "#110f0e"],
    raised: "#201d1a",
    towards: [255, 255, 255],
    text: ["#25130a", "#f2efeb"],
  },
} as const satisfies Record<string, { surfaces: string[]; raised: string; towards: Rgb; text: string[] }>;

export type ThemeName = keyof typeof themes;

const rgbOf = (hex: string): Rgb => {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
};

const hexOf = (rgb: Rgb): string => `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;

/** A colour so far on its way to another: 0 is the one, 1 the other. */
const mixed = (from: Rgb, to: Rgb, share: number): Rgb => [
  from[0] + (to[0] - from[0]) * share,
  from[1] + (to[1] - from[1]) * share,
  from[2] + (to[2] - from[2]) * share,
];

const linear = (part: number): number => {
  const value = part / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
};

const luminance = (hex: string): number => {
  const [red, green, blue] = rgbOf(hex);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
};

/** The contrast of two colours, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** Steps from a colour to black or white. */
const STEPS = 100;

/** The colours of a theme for an accent: the same hue, as much darker or lighter as reading needs. */
export function accentShades(chosen: string, theme: ThemeName): AccentShades {
  const { surfaces, raised, towards, text: texts } = themes[theme];
  const base = rgbOf(chosen);
  const reads = (hex: string): boolean => {
    const soft = softOf(hex, raised);
    return [...surfaces, soft].every((surface) => contrast(hex, surface) >= LEAST_CONTRAST);
  };
  const steps = Array.from({ length: STEPS + 1 }, (_, step) => hexOf(mixed(base, towards, step / STEPS)));
  const accent = steps.find(reads) ?? hexOf(towards);
  const text = texts.find((one) => contrast(one, accent) >= LEAST_CONTRAST) ?? texts[0];
  // Away from its own text, so that a button that is pointed at reads no worse.
  const away: Rgb = luminance(text) > luminance(accent) ? [0, 0, 0] : [255, 255, 255];
  return { accent, hover: hexOf(mixed(rgbOf(accent), away, 0.14)), text, soft: softOf(accent, raised) };
}

const softOf = (accent: string, raised: string): string => hexOf(mixed(rgbOf(raised), rgbOf(accent), 0.1));

/** The variables of an accent, in both themes, above those of the style sheet wherever it stands. */
export function accentStyle(chosen: string): string {
  const variables = (theme: ThemeName) => {
    const { accent, hover, text, soft } = accentShades(chosen, theme);
    return `--accent:${accent};--accent-hover:${hover};--accent-text:${text};--accent-soft:${soft}`;
  };
  const dark = variables("dark");
  return [
    `:root:root{${variables("light")}}`,
    `:root:root[data-theme="dark"]{${dark}}`,
    `@media (prefers-color-scheme:dark){:root:root:not([data-theme]){${dark}}}`,
  ].join("");
}
