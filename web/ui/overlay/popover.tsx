import {
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { place } from "./place.ts";

interface TriggerProps {
  readonly ref: RefObject<HTMLButtonElement | null>;
  readonly onClick: () => void;
  readonly "aria-expanded": boolean;
  readonly "aria-haspopup": "dialog";
  readonly "aria-controls": string | undefined;
}

interface PopoverProps {
  /** Names the panel for those who cannot see where it came from. */
  readonly label: string;
  /** The button that opens it; spread the properties onto it. */
  readonly trigger: (props: TriggerProps) => ReactNode;
  /** The content; `close` is for its own buttons. */
  readonly children: ReactNode | ((close: () => void) => ReactNode);
  /** Given together, the parent holds the state. */
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
  readonly className?: string;
}

/** A small panel of options at its button, on a phone a sheet at the bottom. Esc and a press outside close it. */
export function Popover({ label, trigger, children, open: held, onOpenChange, className }: PopoverProps) {
  const [own, setOwn] = useState(false);
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  /** What had the focus at the press: a text keeps it when a button of its toolbar is pressed. */
  const before = useRef<Element>(null);
  const open = held ?? own;

  const change = (next: boolean) => {
    setOwn(next);
    onOpenChange?.(next);
  };
  const close = () => {
    change(false);
    const { current: had } = before;
    (had instanceof HTMLElement && had !== document.body && had.isConnected ? had : button.current)?.focus();
  };

  return (
    <>
      {trigger({
        ref: button,
        onClick: () => {
          if (open) return close();
          before.current = document.activeElement;
          change(true);
        },
        "aria-expanded": open,
        "aria-haspopup": "dialog",
        "aria-controls": open ? id : undefined,
      })}
      {open && (
        <Panel
          id={id}
          label={label}
          button={button}
          onEscape={close}
          onLeave={() => change(false)}
          className={className}
        >
          {typeof children === "function" ? children(close) : children}
        </Panel>
      )}
    </>
  );
}

interface PanelProps {
  readonly id: string;
  readonly label: string;
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly onEscape: () => void;
  /** The person went on to something else, which keeps the focus. */
  readonly onLeave: () => void;
  readonly className: string | undefined;
  readonly children: ReactNode;
}

function Panel({ id, label, button, onEscape, onLeave, className, children }: PanelProps) {
  const scrim = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  useTopLayer(scrim, panel, button);
  useLeaving([scrim, panel, button], onLeave);
  return (
    <>
      {/* On a phone it takes the tap that closes the sheet: a backdrop would let it through to the page. */}
      <div
        ref={scrim}
        popover="manual"
        aria-hidden
        className="popover-scrim"
        // Else the focus would leave at the press and take the scrim away before the tap has ended.
        onMouseDown={(event) => event.preventDefault()}
        onClick={onEscape}
      />
      <div
        ref={panel}
        id={id}
        role="dialog"
        aria-label={label}
        popover="manual"
        tabIndex={-1}
        className={`popover outline-none ${className ?? ""}`}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          // A dialog around it must stay open.
          event.preventDefault();
          event.stopPropagation();
          onEscape();
        }}
      >
        {children}
      </div>
    </>
  );
}

type Place = RefObject<HTMLElement | null>;

/** Lifts the panel above everything, at its button, with the scrim below it, and gives it the focus. */
function useTopLayer(scrim: Place, panel: Place, button: Place): void {
  useLayoutEffect(() => {
    const element = panel.current;
    if (!element) return;
    scrim.current?.showPopover?.();
    element.showPopover?.();
    const settle = () => button.current && place(element, button.current.getBoundingClientRect());
    settle();
    const first = element.querySelector<HTMLElement>("[data-autofocus]");
    (first ?? element).focus({ preventScroll: true });
    // Within a panel that scrolls; the page behind it stays where it is.
    first?.scrollIntoView({ block: "nearest" });

    const resized = new ResizeObserver(settle);
    resized.observe(element);
    window.addEventListener("scroll", settle, { capture: true, passive: true });
    window.visualViewport?.addEventListener("resize", settle);
    return () => {
      resized.disconnect();
      window.removeEventListener("scroll", settle, { capture: true });
      window.visualViewport?.removeEventListener("resize", settle);
    };
  }, [scrim, panel, button]);
}

/** Tells when a press or the focus lands outside of these places. */
function useLeaving(places: readonly Place[], onLeave: () => void): void {
  const leave = useEffectEvent((event: Event) => {
    const target = event.target;
    if (target instanceof Node && !places.some(({ current }) => current?.contains(target))) onLeave();
  });
  useEffect(() => {
    const watch = (event: Event) => leave(event);
    document.addEventListener("pointerdown", watch, true);
    document.addEventListener("focusin", watch);
    return () => {
      document.removeEventListener("pointerdown", watch, true);
      document.removeEventListener("focusin", watch);
    };
  }, []);
}
