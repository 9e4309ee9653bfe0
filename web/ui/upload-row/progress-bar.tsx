import { useLanguage } from "../../i18n/i18n.ts";
import { classes } from "../../lib/classes.ts";

interface ProgressBarProps {
  readonly label: string;
  /** 0 to 100. */
  readonly percent: number;
  /** Stands still: paused, or without a connection. */
  readonly still: boolean;
}

/** A thin bar that fills. */
export function ProgressBar({ label, percent, still }: ProgressBarProps) {
  useLanguage();
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="h-1.5 overflow-hidden rounded-full bg-line"
    >
      <div
        className={classes(
          "h-full origin-left rounded-full transition-transform duration-150",
          still ? "bg-muted" : "bg-accent",
        )}
        style={{ transform: `scaleX(${percent / 100})` }}
      />
    </div>
  );
}
