import { useState } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/form/field.tsx";
import { Dialog } from "../../ui/overlay/dialog.tsx";

interface PasswordDialogProps {
  readonly wrong: boolean;
  /** Whether a password is being tried. */
  readonly busy: boolean;
  readonly onPassword: (password: string) => void;
  readonly onClose: () => void;
}

/** Asks for the password of a file in an archive. */
export function PasswordDialog({ wrong, busy, onPassword, onClose }: PasswordDialogProps) {
  useLanguage();
  const [password, setPassword] = useState("");
  return (
    <Dialog title={t("viewer.archive.passwordTitle")} onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) onPassword(password);
        }}
      >
        <TextField
          type="password"
          data-autofocus
          autoComplete="off"
          label={t("viewer.archive.password")}
          value={password}
          error={wrong ? t("viewer.archive.wrongPassword") : undefined}
          onChange={({ target }) => setPassword(target.value)}
        />
        <Button type="submit" variant="primary" busy={busy} className="justify-self-end">
          {t("viewer.archive.takeOut")}
        </Button>
      </form>
    </Dialog>
  );
}
