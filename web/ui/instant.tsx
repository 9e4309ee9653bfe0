import { useState } from "react";
import { useLanguage } from "../i18n/i18n.ts";
import { classes } from "../lib/classes.ts";
import { dateTime, relativeTime } from "../lib/time.ts";

interface InstantProps {
  /** ISO 8601, or epoch milliseconds. */
  readonly at: string | number;
  /** In place of the distance from now. */
  readonly text?: string | undefined;
  readonly className?: string | undefined;
}

/** A finger finds it at 44 pixels, also in a line of small text. */
const place =
  "relative cursor-pointer rounded text-start decoration-dotted underline-offset-4 hover:underline " +
  "pointer-coarse:underline pointer-coarse:after:absolute pointer-coarse:after:inset-x-0 pointer-coarse:after:-inset-y-3";

/**
 * An instant as distance from now, and pressed as date and time; these are its tooltip, too. They are written when somebody wants them: the
 * first use of dates costs a phone a tenth of a second, before a shared text could be read.
 */
export function Instant({ at, text, className }: InstantProps) {
  const language = useLanguage();
  const [wanted, setWanted] = useState(false);
  const [exact, setExact] = useState(false);
  const want = () => setWanted(true);
  return (
    <time dateTime={new Date(at).toISOString()}>
      <button
        type="button"
        title={wanted ? dateTime(at, language) : undefined}
        onPointerEnter={want}
        onFocus={want}
        onClick={() => setExact(!exact)}
        className={classes(place, className)}
      >
        {exact ? dateTime(at, language) : (text ?? relativeTime(at, language, Date.now()))}
      </button>
    </time>
  );
}
