import type { SourceFile } from "#contract/url-uploads";
import type { Rights } from "../../../api/session/rights.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { keyName } from "../../../lib/keys.ts";
import { useStore } from "../../../lib/store.ts";
import { Button } from "../../../ui/button.tsx";
import { FileResult } from "../bar/bar.tsx";
import { Chips, NoRoom } from "../bar/chips.tsx";
import { isTooLarge } from "./found-form.tsx";
import type { UrlState } from "./url-state.ts";

interface UrlBarProps {
  readonly urlState: UrlState;
  readonly rights: Rights;
  readonly source: SourceFile | undefined;
  readonly most: number | undefined;
  /** Something failed that can be tried again. */
  readonly again: boolean;
  readonly onPress: () => void;
}

/** The options of the share and the button that brings the file there, or the link that has come of it. */
export function UrlBar({ urlState, rights, source, most, again, onPress }: UrlBarProps) {
  useLanguage();
  const outcome = useStore(urlState.outcome);
  const needed = source?.size ?? 0;
  const sure = rights.signedIn || rights.visitors !== "unknown";
  const disabled = source === undefined || isTooLarge(source, most);
  return (
    <div
      data-bar
      data-at-bottom="tall"
      className="bottom-(--strip) z-10 grid grid-cols-1 gap-4 rounded-b-xl [@media(height>=480px)]:sticky border-line border-t bg-surface p-3 sm:px-4"
    >
      {outcome ? (
        <FileResult outcome={outcome} onEnd={() => urlState.outcome.set(undefined)} />
      ) : (
        <div>
          <NoRoom optionsState={urlState.optionsState} ask={sure} needed={needed} />
          <div className="flex flex-col gap-3 sm:flex-row sm:items-center">
            <div className="chips-row">
              <Chips optionsState={urlState.optionsState} several={false} needed={needed} sure={sure} />
            </div>
            <Button
              variant={source ? "primary" : "quiet"}
              disabled={disabled}
              title={source ? `${t("upload.fromUrl.upload")} (${keyName("Enter")})` : t("upload.fromUrl.first")}
              aria-keyshortcuts="Control+Enter Meta+Enter"
              onClick={onPress}
              className="max-sm:w-full"
            >
              {again ? t("upload.fromUrl.again") : t("upload.fromUrl.upload")}
            </Button>
          </div>
        </div>
      )}
    </div>
  );
}
