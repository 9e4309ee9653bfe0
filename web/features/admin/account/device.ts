/** A program that somebody signed in with, as its User-Agent tells it. */
export interface Device {
  /** "Firefox", "curl"; undefined when it says nothing that is known. */
  readonly browser: string | undefined;
  readonly system: string | undefined;
  readonly kind: "desk" | "phone" | "program";
}

type Sign = readonly [name: string, pattern: RegExp];

/** The first that matches is it: most browsers name others beside themselves. */
const browsers: readonly Sign[] = [
  ["Edge", /\bEdg(e|A|iOS)?\//],
  ["Opera", /\b(OPR|OPiOS)\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Vivaldi", /\bVivaldi\//],
  ["WeChat", /\bMicroMessenger\//],
  ["Firefox", /\b(Firefox|FxiOS)\//],
  ["Chrome", /\b(Chrome|CriOS|HeadlessChrome)\//],
  ["Safari", /\bVersion\/[\d.]+ .*Safari\//],
];

const systems: readonly Sign[] = [
  ["Windows", /\bWindows NT\b/],
  ["Android", /\bAndroid\b/],
  ["iOS", /\b(iPhone|iPod)\b/],
  ["iPadOS", /\biPad\b/],
  ["macOS", /\bMac(intosh| OS X)\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Linux", /\b(Linux|X11)\b/],
];

const phones: readonly (string | undefined)[] = ["Android", "iOS", "iPadOS"];

/** The longest name of a program that is shown. */
const LONGEST = 30;

const named = (signs: readonly Sign[], userAgent: string): string | undefined =>
  signs.find(([, pattern]) => pattern.test(userAgent))?.[0];

/** Reads a User-Agent (RFC 9110 section 10.1.5); anybody can write anything into it. */
export function deviceOf(userAgent: string): Device {
  const system = named(systems, userAgent);
  const browser = named(browsers, userAgent);
  if (browser !== undefined) return { browser, system, kind: phones.includes(system) ? "phone" : "desk" };
  // A program says its name first: curl/8.5.0.
  const program = /^([\w.-]+)(\/|$| )/.exec(userAgent)?.[1]?.slice(0, LONGEST);
  return { browser: program === "Mozilla" ? undefined : program, system, kind: "program" };
}
