import { useEffect, useLayoutEffect, useRef } from "react";
import { appUpdate } from "../../page/app-update.ts";
import type { Heading } from "./outline.ts";

interface AdoptedTextProps {
  /** The text as the server has rendered it. */
  readonly element: Element;
  /** Called with the headings of the text, for an outline beside it. */
  readonly onHeadings: (headings: readonly Heading[]) => void;
  /** Called when the text is there. */
  readonly onWhole: () => void;
}

/** A text that the page would make as the server has made it: what makes pages of Markdown is not loaded for it. */
export function AdoptedText({ element, onHeadings, onWhole }: AdoptedTextProps) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    element.removeAttribute("data-served");
    place.current?.append(element);
    onHeadings(headingsIn(element));
    onWhole();
  }, [element, onHeadings, onWhole]);
  useEffect(() => {
    if (!element.querySelector(".md-code")) return;
    // Code that does not arrive leaves the text readable.
    const code = appUpdate.arrival(() => import("./adopted-code.ts")).then(({ wakeCode }) => wakeCode(element));
    code.catch(() => undefined);
  }, [element]);
  return <div ref={place} />;
}

const headingsIn = (element: Element): Heading[] =>
  [...element.querySelectorAll("h1,h2,h3,h4,h5,h6")].map(({ id, tagName, textContent }) => {
    return { id, text: textContent.trim(), level: Number(tagName[1]) };
  });
