import type { Rights } from "../../../api/session/rights.ts";
import { directFileLink } from "../../../api/share-addresses.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useStore } from "../../../lib/store.ts";
import type { UploadItem } from "../../../transfer/uploads.ts";
import { AccessDenied } from "../../../ui/session/access-denied.tsx";
import { OtherSignIn, useKeyName } from "../../../ui/session/other-sign-in.tsx";
import { ShareResult } from "../../../ui/share-result/share-result.tsx";
import { SignInLink } from "../sign-in-link.tsx";
import { linkOf } from "../state/item-link.ts";
import { stageOf } from "../state/rows-by-state.ts";
import type { Outcome, UploadPageState } from "../state/upload-state.ts";
import { StartBar } from "./start-bar.tsx";
import { Summary } from "./summary.tsx";
import { Total } from "./total.tsx";

interface BarProps {
  readonly uploadState: UploadPageState;
  readonly rights: Rights;
  readonly items: readonly UploadItem[];
  readonly said: boolean;
  readonly onPress: () => void;
}

/** The slim bar below the list: progress, what has come of it, and the options of what is to be sent next. */
export function Bar({ uploadState, rights, items, said, onPress }: BarProps) {
  useLanguage();
  const outcome = useStore(uploadState.outcome);
  const stage = stageOf(items);
  const { idle, refused, moving, paused, completed, failed } = stage;
  const busy = moving.length + paused.length > 0;
  const ended = !busy && !outcome && completed.length + failed.length > (failed.length > 0 ? 0 : 1);
  const may = rights.may("file_share");
  const asks = !may || idle.length + refused.length > 0 || !(busy || ended || outcome);
  return (
    <div
      data-bar
      data-at-bottom="tall"
      className="bottom-(--strip) z-10 grid grid-cols-1 gap-4 rounded-b-xl [@media(height>=480px)]:sticky border-line border-t bg-surface p-3 sm:px-4"
    >
      {busy && <Total uploads={uploadState.uploads} stage={stage} />}
      {outcome && <FileResult outcome={outcome} onEnd={() => uploadState.outcome.set(undefined)} />}
      {ended && (
        <Summary
          {...{ uploadState, stage }}
          mayUpload={may}
          mayLink={rights.signedIn && may && rights.may("mount_view")}
        />
      )}
      {asks && (
        <div>
          {may ? <StartBar {...{ uploadState, rights, stage, said, onPress }} /> : <AccessDeniedBar rights={rights} />}
        </div>
      )}
    </div>
  );
}

interface FileResultProps {
  readonly outcome: Outcome;
  readonly onEnd: () => void;
}

/** The link of the one file that was sent, in the place of what sent it. */
export function FileResult({ outcome: { file, sealed, copied }, onEnd }: FileResultProps) {
  useLanguage();
  const granted = file.has_password ? t("upload.result.directGrant") : undefined;
  return (
    <ShareResult
      key={file.id}
      link={linkOf({ slug: file.slug, sealed })}
      direct={
        sealed ? undefined : { link: directFileLink(file.slug, file.grant), label: t("upload.result.copyDirect") }
      }
      note={sealed ? t(`paste.result.${sealed.key ? "sealedKey" : "sealedPassword"}`) : granted}
      copied={copied}
      name={file.slug}
      closing={t("upload.result.closing")}
      onEnd={onEnd}
    />
  );
}

/** In the place of the options for somebody whose files wait in the list and may not be sent. */
function AccessDeniedBar({ rights }: { readonly rights: Rights }) {
  useLanguage();
  const name = useKeyName();
  return rights.signedIn ? (
    <AccessDenied why={t("upload.bar.keyMayNot", { name })} action={<OtherSignIn rights={rights} back="/upload" />} />
  ) : (
    <AccessDenied why={t("upload.bar.signInWhy")} action={<SignInLink />} />
  );
}
