import CloudUpload from "lucide-react/icons/cloud-upload";
import Plus from "lucide-react/icons/plus";
import { useRef } from "react";
import { formatBytes } from "#contract/format-bytes";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { keyName } from "../../../lib/keys.ts";
import { useMedia } from "../../../lib/media.ts";
import { Button } from "../../../ui/button.tsx";

interface DropZoneProps {
  /** The list is empty: the zone is the whole card. */
  readonly large: boolean;
  /** The largest file that may be uploaded, in bytes. */
  readonly limit: number | undefined;
  readonly onPick: (files: readonly File[]) => void;
}

/** Where files are dropped or picked: the whole card as long as it is empty, a strip above the list then. */
export function DropZone({ large, limit, onPick }: DropZoneProps) {
  const language = useLanguage();
  const picker = useRef<HTMLInputElement>(null);
  const open = () => picker.current?.click();
  const limitText = limit === undefined ? undefined : t("upload.zone.limit", { size: formatBytes(limit, language) });
  return (
    <>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label={t("upload.zone.choose")}
        onChange={(event) => {
          const files = Array.from(event.target.files ?? []);
          if (files.length > 0) onPick(files);
          // The same files may be picked again.
          event.target.value = "";
        }}
      />
      {large ? <LargeZone onOpen={open} limit={limitText} /> : <Strip onOpen={open} limit={limitText} />}
    </>
  );
}

interface ZoneProps {
  readonly onOpen: () => void;
  readonly limit: string | undefined;
}

function LargeZone({ onOpen, limit }: ZoneProps) {
  useLanguage();
  const touch = useMedia("(pointer: coarse)");
  return (
    <div className="relative m-2 grid min-h-72 flex-1 place-content-center justify-items-center gap-1.5 rounded-lg border-2 border-line-strong border-dashed px-6 py-10 text-center transition-colors hover:border-accent hover:bg-accent-soft/40 sm:min-h-80">
      <span className="mb-3 grid size-14 place-items-center rounded-2xl bg-accent-soft text-accent">
        <CloudUpload aria-hidden className="size-7" />
      </span>
      <p className="font-semibold text-base">{touch ? t("upload.zone.touchTitle") : t("upload.zone.title")}</p>
      <div id="zone-hint" className="grid gap-1 text-muted">
        <p>{touch ? t("upload.zone.touchHint") : t("upload.zone.hint", { keys: keyName("V") })}</p>
        {/* Its line is there before its words are. */}
        <p className="min-h-[1.5em] text-[13px]">{limit}</p>
      </div>
      {/* A press anywhere in the zone is one of the button. */}
      <Button
        onClick={onOpen}
        aria-describedby="zone-hint"
        className="mt-3 after:absolute after:inset-0 after:rounded-lg after:content-['']"
      >
        {t("upload.zone.choose")}
      </Button>
    </div>
  );
}

function Strip({ onOpen, limit }: ZoneProps) {
  useLanguage();
  return (
    <button
      type="button"
      onClick={onOpen}
      className="flex min-h-12 w-full items-center gap-3 px-4 py-2 text-left transition-colors hover:bg-sunken focus-visible:-outline-offset-2"
    >
      <span className="grid size-10 shrink-0 place-items-center rounded-lg border border-line-strong border-dashed text-accent">
        <Plus aria-hidden className="size-[18px]" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="font-medium">{t("upload.zone.more")}</span>
        <span className="block text-[13px] text-muted">
          <span className="pointer-coarse:hidden">{t("upload.zone.moreHint")}</span>
          {limit && (
            <span className="inline-block whitespace-pre">
              <span className="pointer-coarse:hidden"> · </span>
              {limit}
            </span>
          )}
        </span>
      </span>
    </button>
  );
}
