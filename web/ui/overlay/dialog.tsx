import X from "lucide-react/icons/x";
import { type MouseEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { failureTone, isFailure } from "../../api/failure.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { classes } from "../../lib/classes.ts";
import { bringsUpKeyboard } from "../../lib/media.ts";
import { Button, IconButton } from "../button.tsx";
import { Notice } from "../notice.tsx";

interface ModalProps {
  readonly title: string;
  /** Esc, a click outside, the close button. */
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons at the end, the primary one last. */
  readonly footer?: ReactNode;
  /** With room for two columns. */
  readonly wide?: boolean;
  /** Its top stays where it is, whatever comes and goes in it. */
  readonly steady?: boolean;
}

/**
 * Shows a native modal as long as it is mounted and not hidden with the page around it; focus goes where `firstPlace` says, and back
 * when it is gone.
 */
export function useModal() {
  const ref = useRef<HTMLDialogElement>(null);
  /** Shown by us and not closed by us: only then a close is the person's. */
  const shown = useRef(false);
  useEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    if (!dialog || dialog.open) return;
    // The page takes the place of its scrollbar meanwhile (styles.css).
    const page = document.documentElement;
    const width = innerWidth - document.body.offsetWidth;
    if (width > 0) page.style.setProperty("--scrollbar", `${width}px`);
    dialog.showModal();
    shown.current = true;
    firstPlace(dialog)?.focus();
    return () => {
      shown.current = false;
      dialog.close();
      giveFocusBack(before);
    };
  }, []);
  return { ref, shown };
}

/** What a person fills in; boxes to tick and files to choose are no beginning of a form. */
const FIELD =
  "form :is(input, textarea, select):not([type=checkbox], [type=radio], [type=file], [type=hidden], [readonly], :disabled)";

/**
 * Where the focus goes in a modal: what asks for it by [data-autofocus], else the first field of its form, else its heading. Never the close
 * button, which the browser would take for being the first: Enter would throw away what was about to be typed. By touch the heading, too: a
 * keyboard that nobody asked for hides half of the form.
 */
function firstPlace(dialog: HTMLDialogElement): HTMLElement | null {
  return (
    dialog.querySelector<HTMLElement>("[data-autofocus]") ??
    (bringsUpKeyboard() ? null : dialog.querySelector<HTMLElement>(FIELD)) ??
    dialog.querySelector<HTMLElement>("h2[tabindex]")
  );
}

/** To what had it, or to the page when that has gone or is hidden: the row that was just deleted, the list of an ended session. */
function giveFocusBack(before: Element | null): void {
  if (before instanceof HTMLElement && before !== document.body && before.checkVisibility()) before.focus();
  // Unless somebody has given it a better place already.
  else if (document.activeElement === document.body) document.getElementById("main")?.focus({ preventScroll: true });
}

interface FrameProps extends ModalProps {
  readonly looks: "dialog" | "sheet";
}

function Frame({ looks, title, onClose, children, footer, wide = false, steady = false }: FrameProps) {
  useLanguage();
  const { ref, shown } = useModal();
  const titleId = useId();
  const pressedOutside = useRef(false);
  // The area outside belongs to the dialog element itself; a press that began inside (marking text) does not close.
  const outside = (event: MouseEvent) => event.target === ref.current;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc is the keyboard's way and arrives as onCancel
    <dialog
      ref={ref}
      className={classes(looks, wide && "w-[min(calc(100vw-32px),960px)]", steady && "steady")}
      aria-labelledby={titleId}
      onCancel={(event) => {
        if (event.target !== ref.current) return;
        event.preventDefault();
        onClose();
      }}
      // Browsers close a dialog for good when Esc is pressed twice, whatever was prevented.
      onClose={() => shown.current && ref.current?.open === false && onClose()}
      onMouseDown={(event) => {
        pressedOutside.current = outside(event);
      }}
      onClick={(event) => pressedOutside.current && outside(event) && onClose()}
    >
      <div
        className={
          looks === "sheet"
            ? "flex h-full flex-col"
            : "flex max-h-[calc(100dvh-50px)] flex-col in-[.steady]:max-h-[calc(100dvh-var(--steady-top)-26px)]"
        }
      >
        <header className="flex items-center justify-between gap-3 border-line py-3 pr-3 pl-5">
          <h2 id={titleId} tabIndex={-1} className="outline-none wrap-anywhere min-w-0 font-semibold text-base">
            {title}
          </h2>
          <IconButton label={t("shell.actions.close")} onClick={onClose}>
            <X aria-hidden />
          </IconButton>
        </header>
        <div className="min-h-0 flex-1 overflow-y-auto px-5 pt-1 pb-5">{children}</div>
        {footer && (
          <footer className="flex flex-wrap justify-end gap-2 border-line border-t px-5 py-3.5 pb-[max(14px,env(safe-area-inset-bottom))]">
            {footer}
          </footer>
        )}
      </div>
    </dialog>
  );
}

/** A modal dialog for a decision. Mount it to open it. */
export const Dialog = (props: ModalProps) => <Frame looks="dialog" {...props} />;

/** A modal sheet at the side for details and editing. Mount it to open it. */
export const Sheet = (props: ModalProps) => <Frame looks="sheet" {...props} />;

interface ConfirmDialogProps {
  readonly title: string;
  readonly text: string;
  /** The verb of what happens: "Delete". */
  readonly confirm: string;
  /** The verb of what happens otherwise, where "Cancel" could be mistaken. */
  readonly cancel?: string;
  readonly danger?: boolean;
  /** Enter does what Esc does: what would be lost is worth a second thought. */
  readonly careful?: boolean;
  /** A choice that belongs to the decision. */
  readonly children?: ReactNode;
  /** Closes the dialog when it is done; a failure stays in it. */
  readonly onConfirm: () => Promise<unknown> | undefined;
  readonly onClose: () => void;
}

/** Asks before something that cannot be undone. Enter confirms, Esc does not. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, text, confirm, cancel, danger = false, careful = false, children, onConfirm, onClose } = props;
  useLanguage();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();

  const run = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (caught) {
      setError(caught);
      setBusy(false);
    }
  };

  // It happens by itself later: there is nothing left to confirm.
  const queued = isFailure(error, "queued");
  const footer = queued ? (
    <Button variant="primary" onClick={onClose} data-autofocus>
      {t("shell.actions.close")}
    </Button>
  ) : (
    <>
      <Button onClick={onClose} data-autofocus={careful || undefined}>
        {cancel ?? t("shell.actions.cancel")}
      </Button>
      <Button
        variant={danger ? "danger" : "primary"}
        busy={busy}
        onClick={run}
        data-autofocus={careful ? undefined : true}
      >
        {confirm}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} footer={footer}>
      {!queued && <p className="text-muted">{text}</p>}
      {!queued && children}
      {error !== undefined && (
        <Notice tone={failureTone(error)} className={queued ? undefined : "mt-4"}>
          {error instanceof Error ? error.message : t("shell.failure.unknown")}
        </Notice>
      )}
    </Dialog>
  );
}
