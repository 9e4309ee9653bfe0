import { useEffect, useEffectEvent, useRef, useState } from "react";
import { classes } from "../../lib/classes.ts";
import { type ShownTheme, useShownTheme } from "../../page/theme.ts";
import { tall } from "../file/frame.tsx";
import { type Chapter, placeOf } from "./chapter.ts";
import type { Target } from "./reading-place.ts";

/** What a chapter may load: what was put into it. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src blob: data:; font-src data:";

const colours = {
  light: { paper: "#ffffff", ink: "#1c1917", link: "#c2410c" },
  dark: { paper: "#1c1917", ink: "#e7e5e4", link: "#fb923c" },
} as const;

/** Before the styles of the book, which may say otherwise; in the dark, colours that were made for paper do not count. */
const before = (theme: ShownTheme): string => `
  :root { color-scheme: ${theme}; background: ${colours[theme].paper}; color: ${colours[theme].ink}; line-height: 1.6; font-family: system-ui, sans-serif; }
  body { margin: 0 auto; padding: 24px 20px 48px; max-inline-size: 38em; overflow-wrap: anywhere; }
  a { color: ${colours[theme].link}; }`;
const behind = (theme: ShownTheme): string => `
  img, svg, video { max-width: 100% !important; max-height: 92vh; }
  img { height: auto; }
  pre { white-space: pre-wrap; } table { max-width: 100%; }
  ${theme === "dark" ? `body, body *:not(img, svg, svg *) { background-color: transparent !important; color: inherit !important; } body a, body a * { color: ${colours.dark.link} !important; }` : ""}`;

interface BookFrameProps {
  readonly chapter: Chapter;
  readonly target: Target;
  /** Of the text, in percent. */
  readonly size: number;
  readonly name: string;
  /** Answers whether it did something. */
  readonly onKey: (key: string) => boolean;
  readonly onFollow: (path: string, part: string) => void;
  readonly onPassed: (passed: number) => void;
}

/**
 * A chapter in a frame that runs no script, for which it was sanitized and by which it is allowed nothing. The frame is of our origin, so that
 * the page may ask it where one is and hears the links and keys that are pressed in it.
 */
export function BookFrame({ chapter, target, size, name, ...on }: BookFrameProps) {
  const theme = useShownTheme();
  const frame = useRef<HTMLIFrameElement>(null);
  const [loaded, setLoaded] = useState<Document>();
  const onKey = useEffectEvent((event: KeyboardEvent) => on.onKey(event.key) && event.preventDefault());
  const onClick = useEffectEvent((event: Event) => {
    const link = (event.target as Element | null)?.closest?.("a[href^='#']");
    if (!link) return;
    event.preventDefault();
    const { path, part } = placeOf(link.getAttribute("href") ?? "");
    on.onFollow(path, part);
  });
  const onScroll = useEffectEvent((document: Document) => on.onPassed(passedOf(document)));

  useEffect(() => {
    if (!loaded) return;
    loaded.documentElement.style.fontSize = `${size}%`;
  }, [loaded, size]);
  useEffect(() => {
    if (loaded) goTo(loaded, target);
  }, [loaded, target]);
  useEffect(() => {
    if (!loaded) return;
    const scrolled = () => onScroll(loaded);
    const pressed = (event: Event) => onClick(event);
    const typed = (event: KeyboardEvent) => onKey(event);
    loaded.addEventListener("click", pressed);
    loaded.addEventListener("keydown", typed);
    loaded.addEventListener("scrollend", scrolled);
    return () => {
      loaded.removeEventListener("click", pressed);
      loaded.removeEventListener("keydown", typed);
      loaded.removeEventListener("scrollend", scrolled);
    };
  }, [loaded]);

  return (
    <iframe
      ref={frame}
      title={name}
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
      srcDoc={`<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><style>${before(theme)}</style>${chapter.html}<style>${behind(theme)}</style>`}
      onLoad={() => setLoaded(frame.current?.contentDocument ?? undefined)}
      className={classes("w-full border-0", tall)}
    />
  );
}

/** How far one is along the longer way of a chapter, which in vertical writing leads to the left: below zero. */
function passedOf({ documentElement: root }: Document): number {
  const [across, down] = [root.scrollWidth - root.clientWidth, root.scrollHeight - root.clientHeight];
  const passed = across > down ? root.scrollLeft / across : down > 0 ? root.scrollTop / down : 0;
  return Math.max(-1, Math.min(1, passed));
}

function goTo(document: Document, { part, passed }: Target): void {
  const { documentElement: root } = document;
  const element = part === "" ? null : document.getElementById(part);
  if (element) {
    element.scrollIntoView({ block: "start", inline: "start" });
    return;
  }
  const [across, down] = [root.scrollWidth - root.clientWidth, root.scrollHeight - root.clientHeight];
  root.scrollTo(across > down ? passed * across : 0, across > down ? 0 : passed * down);
}
