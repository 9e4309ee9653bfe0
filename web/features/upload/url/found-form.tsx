import X from "lucide-react/icons/x";
import { formatBytes } from "#contract/format-bytes";
import { MAX_FILENAME_CHARACTERS } from "#contract/limits";
import { isFilename } from "#contract/paths";
import type { SourceFile } from "#contract/url-uploads";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useStore } from "../../../lib/store.ts";
import type { UrlMethod } from "../../../transfer/from-url/upload.ts";
import { IconButton } from "../../../ui/button.tsx";
import { Choices } from "../../../ui/form/choices.tsx";
import { TextField } from "../../../ui/form/field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { SourceCard } from "./source-card.tsx";
import type { UrlState } from "./url-state.ts";

interface FoundFormProps {
  readonly urlState: UrlState;
  readonly source: SourceFile;
  /** Bytes of the largest file that may be uploaded. */
  readonly most: number | undefined;
}

/** What the address leads to, and what becomes of it. */
export function FoundForm({ urlState, source, most }: FoundFormProps) {
  const language = useLanguage();
  const name = useStore(urlState.name);
  const method = useStore(urlState.method);
  const tooLarge = isTooLarge(source, most);
  return (
    <div className="grid gap-4">
      <SourceCard
        source={source}
        name={source.filename}
        actions={
          <IconButton label={t("upload.fromUrl.clear")} onClick={urlState.reset}>
            <X aria-hidden />
          </IconButton>
        }
      >
        {!source.corsSupported && <p className="text-[13px] text-muted">{t("upload.fromUrl.through")}</p>}
      </SourceCard>
      {tooLarge && (
        <Notice tone="error">
          {t("upload.fromUrl.tooLarge", {
            size: formatBytes(source.size ?? 0, language),
            limit: formatBytes(most ?? 0, language),
          })}
        </Notice>
      )}
      <TextField
        label={t("upload.fromUrl.name")}
        hint={t("upload.fromUrl.nameHint")}
        error={isFilename(name) ? undefined : t("upload.fromUrl.nameInvalid")}
        value={name}
        maxLength={MAX_FILENAME_CHARACTERS}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => urlState.name.set(event.target.value)}
      />
      <div className="grid gap-1.5">
        <Choices<UrlMethod>
          legend={t("upload.fromUrl.method")}
          className="grid grid-cols-2 gap-2 sm:max-w-80"
          choices={[
            { value: "presigned", label: t("upload.fromUrl.presigned") },
            { value: "multipart", label: t("upload.fromUrl.multipart") },
          ]}
          value={method}
          onChoose={urlState.method.set}
        />
        <p className="text-[13px] text-muted leading-snug">{t(`upload.fromUrl.${hintOf(method, source)}`)}</p>
      </div>
    </div>
  );
}

/** Reports whether a file is known to be above the limit. */
export const isTooLarge = ({ size }: SourceFile, most: number | undefined): boolean =>
  size !== null && most !== undefined && size > most;

function hintOf(method: UrlMethod, { size }: SourceFile) {
  if (method === "presigned") return "presignedHint";
  return size === null ? "multipartWhole" : "multipartHint";
}
