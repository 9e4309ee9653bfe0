import { useState } from "react";
import type { WholePaste } from "#contract/pastes";
import { isFailure } from "../../../api/failure.ts";
import { usePaste } from "../../../api/whole-paste.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useCode } from "../../../lib/code.ts";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import type { OpenPaste } from "./opening.ts";
import { ReadingSkeleton } from "./reading-skeleton.tsx";

interface EditingLoaderProps {
  readonly slug: string;
  readonly onSaved: (share: OpenPaste) => void;
  readonly onCancel: () => void;
}

/** Loads the owner's copy of a share (which spends no view) and the form to change it, which readers never need. */
export function EditingLoader({ slug, onSaved, onCancel }: EditingLoaderProps) {
  useLanguage();
  const whole = usePaste(slug);
  // Held here: when the session ends, what was asked for the owner is forgotten, and the form would go with it.
  const [held, hold] = useState<WholePaste>();
  if (whole.data && !held) hold(whole.data);
  const form = useCode("editing a text", () => import("./editing.tsx"));
  const error = whole.error ?? form.error;
  if (error && !(held && form.data)) {
    const message = isFailure(error) ? error.message : t("shell.lazy.text");
    return (
      <div className="mx-auto w-full max-w-[680px] px-4 py-8">
        <Notice tone="error" action={<Button onClick={onCancel}>{t("share.form.cancel")}</Button>}>
          {message}
        </Notice>
      </div>
    );
  }
  if (!held || !form.data) return <ReadingSkeleton />;
  const { Editing } = form.data;
  return <Editing paste={held} onSaved={onSaved} onCancel={onCancel} />;
}
