import type { LucideIcon } from "lucide-react";
import type { FocusEvent, ReactNode } from "react";
import { classes } from "../../lib/classes.ts";
import { Popover } from "../overlay/popover.tsx";

interface OptionChipProps {
  readonly icon: LucideIcon;
  /** What the option is called: heading of its popover. */
  readonly title: string;
  /** Its value as a piece of a sentence. */
  readonly text: string;
  /** It differs from what a share has without being asked. */
  readonly set: boolean;
  readonly wrong: boolean;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly children: (close: () => void) => ReactNode;
}

const chipLooks = (set: boolean, wrong = false): string =>
  classes(
    "inline-flex h-8 max-w-56 shrink-0 items-center gap-1.5 rounded-full border px-3 text-[13px] transition-colors pointer-coarse:h-11",
    wrong && "border-danger bg-danger-soft text-danger",
    !wrong && set && "border-transparent bg-accent-soft font-medium text-accent hover:border-accent",
    !wrong && !set && "border-line text-muted hover:border-line-strong hover:text-text",
    "aria-disabled:opacity-60",
  );

/** Has a chip come out of the faded edge of its line: browsers leave what is there at all where it is. */
const comeOut = ({ currentTarget }: FocusEvent<HTMLElement>): void =>
  currentTarget.scrollIntoView({ block: "nearest", inline: "nearest" });

interface SwitchChipProps {
  readonly icon: LucideIcon;
  readonly label: string;
  /** Its state as a piece of a sentence. */
  readonly text: string;
  readonly on: boolean;
  /** It cannot be switched; a press may still tell why. */
  readonly unable?: boolean;
  readonly onPress: () => void;
}

/** An option that is on or off, with one press. */
export function SwitchChip({ icon: Icon, label, text, on, unable = false, onPress }: SwitchChipProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-label={`${label}: ${text}`}
      aria-disabled={unable || undefined}
      onClick={onPress}
      onFocus={comeOut}
      className={chipLooks(on)}
    >
      <Icon aria-hidden className="size-[15px] shrink-0" />
      <span className="truncate">{text}</span>
    </button>
  );
}

/** One option, folded into a piece of the sentence; it opens where it stands. */
export function OptionChip({ icon: Icon, title, text, set, wrong, open, onOpenChange, children }: OptionChipProps) {
  return (
    <Popover
      label={title}
      open={open}
      onOpenChange={onOpenChange}
      trigger={(props) => (
        <button
          type="button"
          {...props}
          onFocus={comeOut}
          aria-label={`${title}: ${text}`}
          className={chipLooks(set, wrong)}
        >
          <Icon aria-hidden className="size-[15px] shrink-0" />
          <span className="truncate">{text}</span>
        </button>
      )}
    >
      {(close) => (
        <form
          className="grid gap-3 p-4"
          onSubmit={(event) => {
            event.preventDefault();
            close();
          }}
        >
          {children(close)}
        </form>
      )}
    </Popover>
  );
}
