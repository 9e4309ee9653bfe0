import { type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { isFilename } from "#contract/paths";
import { failureText, isFailure } from "../../../api/failure.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useOneAtATime } from "../../../lib/one-at-a-time.ts";
import { readableName } from "../../../lib/shown-name.ts";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/form/field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Dialog } from "../../../ui/overlay/dialog.tsx";

interface NameDialogProps {
  readonly title: string;
  readonly label: string;
  readonly confirm: string;
  readonly name: string;
  /** Whether the name is a suggestion, and not one that something has. */
  readonly isNew?: boolean;
  /** So many characters at the beginning are marked: not the ending, which mostly stays. */
  readonly marked: number;
  /** The names that are taken, as far as the listing knows. */
  readonly taken: ReadonlySet<string>;
  /** Throws ApiFailure. */
  readonly onName: (name: string) => Promise<void>;
  readonly onClose: () => void;
  /** What is named. */
  readonly children?: ReactNode;
}

/** What is wrong with a name before the server is asked. */
function nameWrong(name: string, taken: ReadonlySet<string>): string | undefined {
  if (name === "") return t("explorer.name.empty");
  if (!isFilename(name)) return t("explorer.name.invalid");
  return taken.has(name) ? t("explorer.name.taken", { name }) : undefined;
}

/** Asks for one name. Enter confirms. */
export function NameDialog(props: NameDialogProps) {
  const { title, label, confirm, name, isNew = name === "", marked, taken, onName, onClose, children } = props;
  useLanguage();
  const form = useId();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(() => readableName(name));
  const [pressed, setPressed] = useState(false);
  const [refused, setRefused] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const oneAtATime = useOneAtATime();
  const wanted = typed.trim();
  const wrong = wanted === name && !isNew ? undefined : nameWrong(wanted, taken);
  const isTaken = isFailure(refused, "path.taken") || isFailure(refused, "path.conflict");
  const takenText = isTaken ? t("explorer.name.taken", { name: wanted }) : undefined;

  useLayoutEffect(() => field.current?.setSelectionRange(0, marked), [marked]);

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    setPressed(true);
    if (wrong) return field.current?.focus();
    if (wanted === name && !isNew) return onClose();
    await oneAtATime(async () => {
      setBusy(true);
      setRefused(undefined);
      try {
        await onName(wanted);
        onClose();
      } catch (error) {
        setRefused(error);
        setBusy(false);
      }
    });
  };

  const footer = (
    <>
      <Button onClick={onClose}>{t("shell.actions.cancel")}</Button>
      <Button type="submit" form={form} variant="primary" busy={busy}>
        {confirm}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} footer={footer}>
      <form id={form} onSubmit={submit} noValidate>
        <TextField
          ref={field}
          label={label}
          value={typed}
          maxLength={255}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          error={
            takenText ??
            (pressed || typed !== readableName(name) ? (typed === "" && !pressed ? undefined : wrong) : undefined)
          }
          onChange={(event) => {
            setTyped(event.target.value);
            setRefused(undefined);
          }}
        />
        {children}
        {refused !== undefined && !isTaken && (
          <Notice tone="error" className="mt-4">
            {failureText(refused)}
          </Notice>
        )}
      </form>
    </Dialog>
  );
}
