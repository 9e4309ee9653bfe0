import { useState } from "react";
import { useLocation } from "react-router-dom";
import type { WholePaste } from "#contract/pastes";
import { failureText, isFailure, isSignedOut } from "../../../api/failure.ts";
import { useSession } from "../../../api/session/session.ts";
import { useSignOutSentence } from "../../../api/session/sign-out-sentence.ts";
import { usePaste } from "../../../api/whole-paste.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import type { ReturnTo } from "../../../page/return-to.ts";
import { Button, ButtonLink } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Editing } from "./editing.tsx";
import type { OpenPaste } from "./opening.ts";
import { ReadingSkeleton } from "./reading-skeleton.tsx";

export interface EditingLoaderProps {
  readonly slug: string;
  readonly onSaved: (share: OpenPaste) => void;
  readonly onCancel: () => void;
}

/** Loads the owner's copy of a share, which spends no view, for the form to change it. */
export function EditingLoader({ slug, onSaved, onCancel }: EditingLoaderProps) {
  useLanguage();
  const whole = usePaste(slug);
  // Held here: when the session ends, what was asked for the owner is forgotten, and the form would go with it.
  const [held, hold] = useState<WholePaste>();
  if (whole.data && !held) hold(whole.data);
  if (held) return <Editing paste={held} onSaved={onSaved} onCancel={onCancel} />;
  if (whole.error) return <NotLoaded slug={slug} error={whole.error} onCancel={onCancel} />;
  return <ReadingSkeleton />;
}

interface NotLoadedProps {
  readonly slug: string;
  readonly error: Error;
  readonly onCancel: () => void;
}

/** Why there is nothing to edit, and the way on. */
function NotLoaded({ slug, error, onCancel }: NotLoadedProps) {
  useLanguage();
  const { authType } = useSession();
  const { search } = useLocation();
  const ended = useSignOutSentence();
  // To a key what it did not make is not there.
  const isForeign = authType === "apikey" && isFailure(error) && error.status === 404;
  const back: ReturnTo = { returnTo: `/paste/${slug}?edit`, isPrevious: search !== "" };
  const actions = (
    <div className="flex gap-2">
      {isSignedOut(error) ? (
        <ButtonLink to="/admin" state={back}>
          {t("share.form.signIn")}
        </ButtonLink>
      ) : null}
      <Button onClick={onCancel}>{t(isForeign ? "share.gate.unlock" : "share.form.cancel")}</Button>
    </div>
  );
  const why = isSignedOut(error) ? ended : isForeign ? t("paste.edit.notYours") : undefined;
  return (
    <div className="mx-auto w-full max-w-[680px] px-4 py-8">
      <Notice tone="error" action={actions}>
        {why ?? failureText(error)}
      </Notice>
    </div>
  );
}
