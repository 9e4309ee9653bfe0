import CircleAlert from "lucide-react/icons/circle-alert";
import CircleCheck from "lucide-react/icons/circle-check";
import CloudUpload from "lucide-react/icons/cloud-upload";
import Pause from "lucide-react/icons/pause";
import { useLocation } from "react-router-dom";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { classes } from "../../lib/classes.ts";
import { useStore } from "../../lib/store.ts";
import type { UrlToStorage } from "../../transfer/from-url/to-storage.ts";
import { Link } from "../../ui/link.tsx";
import { percentOf } from "../../ui/upload-row/amounts.ts";
import type { UploadPageState } from "./state/upload-state.ts";

interface RunningNoteProps {
  readonly uploadState: UploadPageState;
  readonly url: Pick<UrlToStorage, "isBusy" | "state">;
}

/** In the header of every other page: what is on its way, and the way back to it. */
export function RunningNote({ uploadState, url }: RunningNoteProps) {
  useLanguage();
  const { pathname } = useLocation();
  const { active, failed, sent, size } = useStore(uploadState.uploads.totals);
  const unseen = useStore(uploadState.unseen);
  const fromUrl = useStore(url.state);
  const fetching = url.isBusy();
  if (pathname === "/upload" || !(unseen || fetching)) return null;

  const percent = `${unseen ? percentOf(sent, size) : (fromUrl?.percent ?? 0)}%`;
  const status =
    active || (fetching && !unseen)
      ? "active"
      : uploadState.uploads.isBusy()
        ? "paused"
        : failed > 0
          ? "failed"
          : "done";
  const { Icon, tone, says } = {
    active: { Icon: CloudUpload, tone: "text-accent", says: t("upload.running.percent", { percent }) },
    paused: { Icon: Pause, tone: "text-muted", says: t("upload.running.paused") },
    failed: { Icon: CircleAlert, tone: "text-danger", says: t("upload.running.failed") },
    done: { Icon: CircleCheck, tone: "text-ok", says: t("upload.running.done") },
  }[status];
  return (
    <Link
      to={unseen ? "/upload" : "/upload?tab=url"}
      aria-label={says}
      title={says}
      className={classes(
        "flex h-9 min-w-9 items-center justify-center gap-1.5 rounded-lg px-2 font-medium text-[13px] tabular-nums transition-colors hover:bg-sunken pointer-coarse:h-11 pointer-coarse:min-w-11",
        tone,
      )}
    >
      <Icon aria-hidden className="size-[18px]" />
      {status === "active" && <span aria-hidden>{percent}</span>}
    </Link>
  );
}
