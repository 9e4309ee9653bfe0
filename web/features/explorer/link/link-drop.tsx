import { keepPreviousData, useQuery } from "@tanstack/react-query";
import Camera from "lucide-react/icons/camera";
import Upload from "lucide-react/icons/upload";
import { type RefObject, useEffect, useRef, useState } from "react";
import { isOfKinds } from "#contract/file-kinds";
import { MAX_SENDER_CHARACTERS, MAX_SENDER_MESSAGE_CHARACTERS } from "#contract/limits";
import { links, type OpenedLink, type Taking } from "#contract/links";
import { linkKeys } from "../../../api/query-keys.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { formatBytes } from "../../../lib/bytes.ts";
import { classes } from "../../../lib/classes.ts";
import { bare } from "../../../lib/folder-path.ts";
import { useMedia } from "../../../lib/media.ts";
import { useOwnTitle } from "../../../lib/page-title.ts";
import { useStore } from "../../../lib/store.ts";
import { Button } from "../../../ui/button.tsx";
import { TextArea, TextField } from "../../../ui/field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { SelectField } from "../../../ui/select-field.tsx";
import { FactLine } from "../../../ui/share-gate/fact-line.tsx";
import { Card, EmptyState } from "../../../ui/surface.tsx";
import type { CommandContext } from "../commands/command-context.ts";
import { usePlace } from "../folder/use-place.tsx";
import { useTree } from "../tree.ts";
import { UploadTask } from "../upload/upload-task.tsx";
import { useTreeUpload } from "../upload/use-tree-upload.ts";
import { LinkHeading } from "./link-heading.tsx";
import { ReceiptCard } from "./receipt-card.tsx";
import { SealedNotice } from "./sealed-notice.tsx";
import { useRecipient } from "./use-recipient.ts";
import { useSending } from "./use-sending.ts";

interface LinkDropProps {
  readonly slug: string;
  readonly opened: OpenedLink;
  readonly may: CommandContext["may"];
}

/** A link that takes files and shows none: who sends them, a place to put them, how far they are, and what has arrived. */
export function LinkDrop({ slug, opened, may }: LinkDropProps) {
  useLanguage();
  const { title } = opened;
  const sealing = useRecipient(opened.taking?.sealed === true);
  const { call, uploads } = useTree();
  const items = useStore(uploads.items);
  const sending = useSending(slug, uploads, items.length > 0);
  const { receipt, sender, setSender, message, setMessage, isTakenBack, again } = sending;
  const name = useRef<HTMLInputElement>(null);
  /** Files were dropped or pasted before there was a name. */
  const [wanted, setWanted] = useState(false);
  const askName = () => {
    setWanted(true);
    name.current?.focus();
  };
  useOwnTitle(title ?? t("link.page.inboundUntitled"));
  const arrived = items.filter(({ state }) => state === "completed").length;
  const isBusy = items.some(({ state }) => state === "uploading" || state === "paused" || state === "idle");
  // What is left of the limits is asked anew once all have arrived; an opening that goes on spends nothing. One that has ended meanwhile
  // would be spent anew each time that somebody looks at this tab.
  const { data: { taking } = opened } = useQuery({
    queryKey: linkKeys.taking(slug, arrived),
    queryFn: async ({ signal }) =>
      (await call(links.open, { params: { slug }, body: { password: undefined, grant: opened.grant }, signal })).data,
    enabled: arrived > 0 && !isBusy,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    placeholderData: keepPreviousData,
  });
  const isFull = taking?.files_left === 0 || taking?.bytes_left === 0;
  const hasArrived = arrived > 0 && !isBusy;
  const sent = useRef<HTMLDivElement>(null);
  // On a phone it is below what is in sight.
  useEffect(() => {
    if (items.length > 0 || hasArrived) sent.current?.scrollIntoView({ block: "nearest" });
  }, [items.length, hasArrived]);
  return (
    <div data-explorer className="mx-auto flex w-full max-w-2xl flex-1 flex-col gap-4 px-4 py-6 sm:py-10">
      <LinkHeading opened={opened} brief={false} />
      {isFull && items.length === 0 ? (
        <Card>
          <EmptyState title={t("link.page.full")} text={t("link.page.fullText")} />
        </Card>
      ) : (
        <>
          {taking && (taking.ask_name || taking.ask_message) && (
            <Saying {...{ taking, sender, setSender, message, setMessage, name, wanted }} />
          )}
          <SealedNotice sealing={sealing} />
          {(sealing.state === "none" || sealing.state === "ready") && (
            <Drop
              {...{ opened, taking, may, askName, isNamed: !taking?.ask_name || sender.trim() !== "" }}
              recipient={sealing.state === "ready" ? sealing.recipient : undefined}
            />
          )}
        </>
      )}
      <div ref={sent} className="grid gap-4 empty:hidden">
        {isTakenBack && <TakenBack onAgain={again} />}
        {/* What has arrived stands in the receipt. */}
        {items.length > 0 && !isTakenBack && !(hasArrived && arrived === items.length) && (
          <Card className="px-4">
            <ul>
              <UploadTask uploads={uploads} onClear={uploads.clear} />
            </ul>
          </Card>
        )}
        {(hasArrived || (sending.isKept && !isBusy)) && !isTakenBack && (
          <ReceiptCard
            key={receipt}
            receipt={receipt}
            onAgain={again}
            onTakenBack={sending.takeBack}
            onNothing={hasArrived ? undefined : sending.forget}
          />
        )}
      </div>
      <p className="text-[13px] text-muted">{t("link.page.takesOnly")}</p>
    </div>
  );
}

const TakenBack = ({ onAgain }: { readonly onAgain: () => void }) => (
  <Notice tone="ok">
    <p role="status">{t("link.page.tookBack")}</p>
    <Button className="mt-2" onClick={onAgain}>
      {t("link.page.sendMore")}
    </Button>
  </Notice>
);

interface SayingProps {
  readonly taking: Taking;
  readonly sender: string;
  readonly setSender: (sender: string) => void;
  readonly message: string;
  readonly setMessage: (message: string) => void;
  readonly name: RefObject<HTMLInputElement | null>;
  /** Whether the name was asked for, and is missing. */
  readonly wanted: boolean;
}

/** What the sender says, where the link asks. */
function Saying({ taking, sender, setSender, message, setMessage, name, wanted }: SayingProps) {
  useLanguage();
  return (
    <div className="grid gap-4">
      {taking.ask_name && (
        <TextField
          ref={name}
          label={t("link.page.sender")}
          error={wanted && sender.trim() === "" && t("link.page.senderMissing")}
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

interface DropProps extends Omit<LinkDropProps, "slug"> {
  readonly taking: OpenedLink["taking"];
  /** The sender has said a name, or need not. */
  readonly isNamed: boolean;
  /** Leads to the place of the name. */
  readonly askName: () => void;
  /** For whom files are sealed before they are sent. */
  readonly recipient: string | undefined;
}

function Drop({ opened, taking, may, isNamed, askName, recipient }: DropProps) {
  useLanguage();
  const { upload_paths: paths } = opened;
  const [chosen, choose] = useState(paths[0] ?? "/");
  const folder = bare(chosen);
  const { ask, told } = usePlace(folder, undefined, { may });
  const mayNow: typeof may = (right) => isNamed && may(right);
  const known = paths.length > 0;
  const touch = useMedia("(pointer: coarse)");
  const shots = shotsOf(taking?.kinds ?? []);
  const { over, pick, capture } = useTreeUpload(
    {
      folder,
      may: mayNow,
      known,
      virtual: false,
      recipient,
      first: isNamed ? undefined : askName,
      ...(taking && { accept: taking.kinds }),
    },
    ask,
  );
  if (!known)
    return (
      <Card>
        <EmptyState title={t("link.page.lostTitle")} text={t("link.page.lostText")} />
      </Card>
    );
  return (
    <Card className={classes("border-dashed", over && "border-accent bg-accent-soft/40")}>
      <EmptyState
        icon={<Upload aria-hidden />}
        title={t(touch ? "link.page.touchTitle" : "link.page.dropTitle")}
        text={t(`link.page.${isNamed ? (touch ? "touchText" : "dropText") : "senderMissing"}`)}
        action={
          <div className="grid w-full max-w-xs gap-4 text-left">
            {paths.length > 1 && (
              <SelectField
                label={t("link.page.into")}
                choices={paths.map((path, index) => ({
                  value: path,
                  label: t("link.page.place", { number: index + 1 }),
                }))}
                value={chosen}
                onChoose={choose}
              />
            )}
            <Button variant="primary" icon={<Upload aria-hidden />} disabled={!isNamed} onClick={() => pick("files")}>
              {t("link.page.choose")}
            </Button>
            {shots.length > 0 && (
              <Button
                icon={<Camera aria-hidden />}
                className="pointer-fine:hidden"
                disabled={!isNamed}
                onClick={() => capture(shots)}
              >
                {t("link.page.capture")}
              </Button>
            )}
          </div>
        }
      />
      {taking && <Limits taking={taking} />}
      {told}
    </Card>
  );
}

/** What of a camera a link takes. */
const shotsOf = (kinds: readonly string[]): string[] => [
  ...(isOfKinds(kinds, "photo.jpg", "image/jpeg") ? ["image/*"] : []),
  ...(isOfKinds(kinds, "video.mp4", "video/mp4") ? ["video/*"] : []),
];

/** How much the link takes still, and of what. */
function Limits({ taking: { files_left, bytes_left, max_file_bytes, kinds } }: { readonly taking: Taking }) {
  const language = useLanguage();
  if (files_left === null && bytes_left === null && max_file_bytes === null && kinds.length === 0) return null;
  const size = (bytes: number) => formatBytes(bytes, language);
  return (
    <div className="flex justify-center px-4 pb-6 text-center">
      <FactLine>
        {files_left === null ? null : t("link.page.takesFiles", { count: files_left })}
        {max_file_bytes === null ? null : t("link.page.takesEach", { size: size(max_file_bytes) })}
        {bytes_left === null ? null : t("link.page.takesBytes", { size: size(bytes_left) })}
        {kinds.length === 0 ? null : t("link.page.takesKinds", { kinds: kinds.join(" ") })}
      </FactLine>
    </div>
  );
}
