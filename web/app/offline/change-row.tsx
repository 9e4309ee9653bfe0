import Pencil from "lucide-react/icons/pencil";
import RefreshCw from "lucide-react/icons/refresh-cw";
import Trash2 from "lucide-react/icons/trash-2";
import { useId, useState } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import type { ShownChange } from "../../offline/offline.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Instant } from "../../ui/instant.tsx";
import { ConfirmDialog } from "../../ui/overlay/dialog.tsx";
import { answerLink } from "./answer-link.ts";

interface ChangeRowProps {
  readonly change: ShownChange;
  /** Reports whether it was done. */
  readonly onRetry: (data?: unknown) => Promise<boolean>;
  /** Its answer was seen. */
  readonly onSeen: () => Promise<unknown>;
  /** Throws an Error with a sentence for the person. */
  readonly onDiscard: (asked: ShownChange) => Promise<void>;
}

/** A change that waits, was refused, or was sent and has an answer to show. */
export function ChangeRow({ change, onRetry, onSeen, onDiscard }: ChangeRowProps) {
  useLanguage();
  // The question is about the change that was shown with it: meanwhile the change may be sent.
  const [asked, setAsked] = useState<ShownChange>();
  const [editing, setEditing] = useState(false);
  const { status, type, timestamp, data } = change;
  const text = contentOf(data);
  const link = status === "sent" ? answerLink(change.answer) : undefined;
  return (
    <li className="grid gap-2 rounded-xl border border-line p-3.5">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <p className="font-medium">{t(isKnown(type) ? `offline.change.${type}` : "offline.change.other")}</p>
          <p className="text-[13px] text-muted">
            {t(`offline.state.${status}`)} · <Instant at={timestamp} />
          </p>
        </div>
        {status === "rejected" && (
          <IconButton label={t("offline.retry")} onClick={() => void onRetry()}>
            <RefreshCw aria-hidden />
          </IconButton>
        )}
        {status === "rejected" && text !== undefined && (
          <IconButton label={t("offline.edit")} aria-expanded={editing} onClick={() => setEditing(!editing)}>
            <Pencil aria-hidden />
          </IconButton>
        )}
        <IconButton
          label={t(status === "sent" ? "offline.seen" : "offline.discard")}
          onClick={() => (status === "sent" ? void onSeen() : setAsked(change))}
        >
          <Trash2 aria-hidden />
        </IconButton>
      </div>
      {status === "rejected" && change.refusal && <p className="text-danger text-sm">{change.refusal}</p>}
      {text !== undefined && !editing && status !== "sent" && (
        <p className="line-clamp-2 whitespace-pre-wrap break-words text-muted text-sm">{text}</p>
      )}
      {editing && text !== undefined && (
        <Editing type={type} data={data} text={text} onSend={async (next) => setEditing(!(await onRetry(next)))} />
      )}
      {asked && (
        <ConfirmDialog
          danger
          title={t("offline.discardTitle")}
          text={t("offline.discardText")}
          confirm={t("offline.discard")}
          onConfirm={() => onDiscard(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
      {link && (
        <div className="flex items-center gap-2">
          <a href={link} className="min-w-0 flex-1 truncate font-mono text-accent text-sm">
            {link}
          </a>
          <CopyButton iconOnly label={t("offline.copyLink")} text={link} />
        </div>
      )}
    </li>
  );
}

interface EditingProps {
  readonly type: string;
  readonly data: unknown;
  readonly text: string;
  readonly onSend: (data: unknown) => Promise<void>;
}

/** The text of a refused change and its suffix, which is what servers refuse most. */
function Editing({ type, data, text, onSend }: EditingProps) {
  useLanguage();
  const id = useId();
  const { slug } = data as { slug?: unknown };
  const isNew = type === "createPaste";
  const [content, setContent] = useState(text);
  const [suffix, setSuffix] = useState(typeof slug === "string" ? slug : "");
  const field = "w-full rounded-lg border border-line bg-surface px-3 py-2";
  const send = () => {
    // Who sends a changed text again wants it, whatever it has become meanwhile.
    const { version: _version, ...rest } = data as { readonly version?: unknown };
    return onSend({ ...rest, content, ...(isNew && { slug: suffix === "" ? null : suffix }) });
  };
  return (
    <div className="grid gap-2">
      <label htmlFor={`${id}text`} className="text-muted text-sm">
        {t("offline.text")}
      </label>
      <textarea
        id={`${id}text`}
        rows={6}
        value={content}
        onChange={({ target }) => setContent(target.value)}
        className={field}
      />
      {isNew && (
        <>
          <label htmlFor={`${id}suffix`} className="text-muted text-sm">
            {t("offline.suffix")}
          </label>
          <input
            id={`${id}suffix`}
            value={suffix}
            onChange={({ target }) => setSuffix(target.value)}
            className={`${field} font-mono`}
          />
        </>
      )}
      <Button variant="primary" className="justify-self-end" onClick={() => void send()}>
        {t("offline.sendAgain")}
      </Button>
    </div>
  );
}

const known = [
  "createPaste",
  "updatePaste",
  "batchDeletePastes",
  "clearExpiredPastes",
  "updateGroupSettings",
  "clearCache",
  "verifyFilePassword",
] as const;

const isKnown = (type: string): type is (typeof known)[number] => known.some((one) => one === type);

function contentOf(data: unknown): string | undefined {
  const { content } = (data ?? {}) as { content?: unknown };
  return typeof content === "string" ? content : undefined;
}
