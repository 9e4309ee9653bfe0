import { directFileLink, fileLink } from "../../../api/links.ts";
import { useSession } from "../../../api/session.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useStore } from "../../../lib/store.ts";
import type { UploadItem } from "../../../transfer/uploads.ts";
import { ButtonLink } from "../../../ui/button.tsx";
import { ShareResult } from "../../../ui/share-result/share-result.tsx";
import type { Desk, Outcome } from "../desk/desk.ts";
import { stageOf } from "../desk/stage.ts";
import { StartBar } from "./start-bar.tsx";
import { Summary } from "./summary.tsx";
import { Total } from "./total.tsx";

interface BarProps {
  readonly desk: Desk;
  readonly items: readonly UploadItem[];
  readonly said: boolean;
  readonly onPress: () => void;
}

/** The slim bar below the list: progress, what has come of it, and the options of what is to be sent next. */
export function Bar({ desk, items, said, onPress }: BarProps) {
  useLanguage();
  const { authType } = useSession();
  const outcome = useStore(desk.outcome);
  const stage = stageOf(items);
  const { idle, refused, moving, paused, completed, failed } = stage;
  const busy = moving.length + paused.length > 0;
  const ended = !busy && !outcome && completed.length + failed.length > (failed.length > 0 ? 0 : 1);
  const signedOut = authType === "none";
  const asks = signedOut || idle.length + refused.length > 0 || !(busy || ended || outcome);
  return (
    <div
      data-bar
      className="sticky bottom-0 z-10 grid grid-cols-1 gap-4 rounded-b-xl border-line border-t bg-surface p-3 sm:px-4"
    >
      {busy && <Total uploads={desk.uploads} stage={stage} />}
      {outcome && <FileResult outcome={outcome} onEnd={() => desk.outcome.set(undefined)} />}
      {ended && <Summary desk={desk} stage={stage} />}
      {asks && (
        <div>{signedOut ? <SignInBar /> : <StartBar desk={desk} stage={stage} said={said} onPress={onPress} />}</div>
      )}
    </div>
  );
}

interface FileResultProps {
  readonly outcome: Outcome;
  readonly onEnd: () => void;
}

/** The link of the one file that was sent, in the place of what sent it. */
function FileResult({ outcome: { file, copied }, onEnd }: FileResultProps) {
  useLanguage();
  return (
    <ShareResult
      key={file.id}
      link={fileLink(file.slug)}
      direct={{
        link: directFileLink(file.slug, file.grant),
        label: t("upload.result.copyDirect"),
        note: file.has_password ? t("upload.result.directGrant") : undefined,
      }}
      copied={copied}
      name={file.slug}
      closing={t("upload.result.closing")}
      onEnd={onEnd}
    />
  );
}

/** In the place of the options for somebody who may collect files but not send them yet. */
function SignInBar() {
  useLanguage();
  return (
    <div className="flex flex-col gap-3 sm:flex-row sm:items-center sm:justify-between">
      <p className="text-muted">{t("upload.bar.signInWhy")}</p>
      <ButtonLink to="/admin" state={{ returnTo: "/upload" }} variant="primary" className="max-sm:w-full">
        {t("upload.bar.signIn")}
      </ButtonLink>
    </div>
  );
}
