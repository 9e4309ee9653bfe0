import { classes } from "../../lib/classes.ts";
import { tall } from "../file/frame.tsx";

/** What such a page may load: what it brings itself. Its frame runs no script and has an origin of its own. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data: blob:; media-src data: blob:; font-src data:";

interface SandboxedFrameProps {
  /** HTML that has been sanitized. */
  readonly html: string;
  readonly title: string;
  /** CSS of the page's own. */
  readonly style?: string;
}

/** A page that somebody made, behind four walls: it was sanitized, runs no script, is of no origin, and asks nobody for anything. */
export const SandboxedFrame = ({ html, title, style = "" }: SandboxedFrameProps) => (
  <iframe
    title={title}
    // A link that is pressed opens in a tab of its own; nothing else is allowed.
    sandbox="allow-popups allow-popups-to-escape-sandbox"
    referrerPolicy="no-referrer"
    srcDoc={`<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><style>${style}</style>${html}`}
    className={classes("w-full border-0 bg-white", tall)}
  />
);
