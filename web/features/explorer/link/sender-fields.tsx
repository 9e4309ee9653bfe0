import type { RefObject } from "react";
import { MAX_SENDER_CHARACTERS, MAX_SENDER_MESSAGE_CHARACTERS } from "#contract/limits";
import type { Taking } from "#contract/links";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { TextArea, TextField } from "../../../ui/form/field.tsx";

interface SenderFieldsProps {
  readonly taking: Taking;
  readonly sender: string;
  readonly setSender: (sender: string) => void;
  readonly message: string;
  readonly setMessage: (message: string) => void;
  readonly name: RefObject<HTMLInputElement | null>;
  /** Whether files came before the name, so that a missing one is pointed out. */
  readonly isAsked: boolean;
}

/** The name and the message of the sender, where the link asks for them. */
export function SenderFields({ taking, sender, setSender, message, setMessage, name, isAsked }: SenderFieldsProps) {
  useLanguage();
  return (
    <div className="grid gap-4">
      {taking.ask_name && (
        <TextField
          ref={name}
          label={t("link.page.sender")}
          error={isAsked && sender.trim() === "" && t("link.page.senderMissing")}
          autoComplete="name"
          required
          value={sender}
          maxLength={MAX_SENDER_CHARACTERS}
          hint={t("link.page.senderHint")}
          onChange={({ target }) => setSender(target.value)}
        />
      )}
      {taking.ask_message && (
        <TextArea
          label={t("link.page.message")}
          value={message}
          maxLength={MAX_SENDER_MESSAGE_CHARACTERS}
          rows={2}
          className="min-h-16"
          hint={t("link.page.messageHint")}
          onChange={({ target }) => setMessage(target.value)}
        />
      )}
    </div>
  );
}
