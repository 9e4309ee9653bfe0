import { useState } from "react";
import { useLanguage } from "../i18n/i18n.ts";
import { dateTime, relativeTime } from "../lib/time.ts";

interface InstantProps {
  /** ISO 8601, or epoch milliseconds. */
  readonly at: string | number;
  /** In place of the distance from now. */
  readonly text?: string | undefined;
  readonly className?: string | undefined;
}

/**
 * An instant as distance from now. Date and time are its tooltip, and its text once it is tapped, because a finger has no tooltips. It is no
 * button: lists have two in each row, which would be two more stops for the keyboard and too low for a finger. They are written when
 * somebody wants them: the first use of dates costs a phone a tenth of a second, before a shared text could be read.
 */
export function Instant({ at, text, className }: InstantProps) {
  const language = useLanguage();
  const [wanted, setWanted] = useState(false);
  const [exact, setExact] = useState(false);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: what a tap shows, `dateTime` and the tooltip say as well
    <time
      dateTime={new Date(at).toISOString()}
      title={wanted ? dateTime(at, language) : undefined}
      onPointerEnter={() => setWanted(true)}
      onClick={() => setExact(!exact)}
      className={className}
    >
      {exact ? dateTime(at, language) : (text ?? relativeTime(at, language, Date.now()))}
    </time>
  );
}
