import { type ComponentProps, useState } from "react";
import { flushSync } from "react-dom";
import { parentOf, stemLength } from "#contract/paths";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { bare } from "../../../lib/folder-path.ts";
import { readableName } from "../../../lib/shown-name.ts";
import { pastedText } from "../../../ui/file-drop/pasted-name.ts";
import { Sheet } from "../../../ui/overlay/dialog.tsx";
import type { DialogRequest } from "../commands/command-actions.ts";
import { Details } from "../details/details.tsx";
import type { FolderState } from "../folder/folder-state.ts";
import { type Entry, freeName } from "../model/entry.ts";
import type { Operations } from "../model/operations.ts";
import { LinkDialogs } from "./link-dialogs.tsx";
import { NameDialog } from "./name-dialog.tsx";
import { PlaceDialog } from "./place-dialog.tsx";
import { RemoveDialog } from "./remove-dialog.tsx";
import { RenameMany } from "./rename-many.tsx";
import { ShareDialog } from "./share-dialog.tsx";
import { ShortcutsDialog } from "./shortcuts-dialog.tsx";
import { UnpackDialog } from "./unpack-dialog.tsx";

interface DialogsProps {
  readonly request: DialogRequest;
  readonly state: FolderState;
  readonly operations: Operations;
  /** Sends a file into the folder on view. */
  readonly onFile: (file: File) => Promise<unknown>;
  /** Opens a new text of the folder on view, to be written. */
  readonly onWrite: (path: string, name: string) => void;
}

/** The dialog that a command has asked for. */
export function Dialogs({ request, state, operations, onFile, onWrite }: DialogsProps) {
  const { all, context, select, open } = state;
  const { folder, base } = context;
  const onClose = () => open(undefined);
  const names = () => new Set(all.map(({ name }) => name));
  switch (request.kind) {
    case "folder":
      return <FolderDialog taken={names()} {...{ state, operations, onClose }} />;
    case "file":
      return (
        <FileDialog
          title={t("explorer.command.newFile")}
          confirm={t("explorer.name.create")}
          suggested={t("explorer.name.fileName")}
          taken={names()}
          onName={async (name) => onWrite(await operations.makeFile(folder, name), name)}
          onClose={onClose}
        />
      );
    case "text":
      return <TextDialog text={request.text} taken={names()} {...{ state, onFile, onClose }} />;
    case "rename":
      return <RenameDialog entry={request.entry} {...{ state, operations, names, onClose }} />;
    case "renameMany":
      return <RenameMany entries={request.entries} {...{ folder, all, operations, select, onClose }} />;
    case "remove":
      return (
        <RemoveDialog
          entries={request.entries}
          days={state.listing.trashDays}
          onRemove={(forever) => operations.remove(request.entries, forever)}
          onClose={onClose}
        />
      );
    case "place": {
      const { verb, entries } = request;
      return (
        <PlaceDialog
          {...{ verb, entries, folder, base }}
          onPlace={(target) => void operations[verb](entries, target)}
          onClose={onClose}
        />
      );
    }
    case "unpack":
      return <UnpackDialog entry={request.entry} {...{ base, operations, select, onClose }} />;
    case "shortcuts":
      return <ShortcutsDialog context={context} onClose={onClose} />;
    default:
      return <AboutDialog request={request} state={state} onClose={onClose} />;
  }
}

interface NewProps {
  /** The names in the folder on view. */
  readonly taken: ReadonlySet<string>;
  readonly onClose: () => void;
}

/** Asks what a new folder is called. */
function FolderDialog({ taken, state, operations, onClose }: NewProps & Pick<DialogsProps, "state" | "operations">) {
  useLanguage();
  const { context, select } = state;
  return (
    <NameDialog
      title={t("explorer.name.folderTitle")}
      label={t("explorer.name.folderLabel")}
      confirm={t("explorer.name.create")}
      name=""
      marked={0}
      taken={taken}
      onName={async (name) => {
        select({ do: "go", path: await operations.makeFolder(context.folder, name), keep: true });
        // The dialog gives the focus back to the button; the keyboard is to go on from the new folder.
        flushSync(onClose);
        document.querySelector<HTMLElement>("[data-entries]")?.focus({ preventScroll: true });
      }}
      onClose={onClose}
    />
  );
}

interface FileDialogProps
  extends NewProps,
    Pick<ComponentProps<typeof NameDialog>, "title" | "confirm" | "onName" | "children"> {
  readonly suggested: string;
}

/** Asks what a new file is called: as is suggested, where that is free. */
function FileDialog({ suggested, taken, ...rest }: FileDialogProps) {
  useLanguage();
  const [name] = useState(() => (taken.has(suggested) ? freeName(suggested, false, taken) : suggested));
  return (
    <NameDialog label={t("explorer.name.textLabel")} isNew marked={stemLength(name)} {...{ name, taken }} {...rest} />
  );
}

interface TextDialogProps extends NewProps, Pick<DialogsProps, "state" | "onFile"> {
  readonly text: string;
}

/** Characters of a pasted text by which somebody sees what they are about to save. */
const SHOWN = 600;

/** Asks what the file of a pasted text is called. */
function TextDialog({ text, taken, state: { context, select }, onFile, onClose }: TextDialogProps) {
  useLanguage();
  const [{ name, type }] = useState(() => pastedText(text, new Date()));
  return (
    <FileDialog
      title={t("explorer.name.textTitle")}
      confirm={t("explorer.name.save")}
      suggested={name}
      taken={taken}
      onName={async (chosen) => {
        await onFile(new File([text], chosen, { type }));
        select({ do: "go", path: `${bare(context.folder)}/${chosen}`, keep: true });
      }}
      onClose={onClose}
    >
      <pre className="wrap-anywhere mt-4 max-h-32 overflow-y-auto whitespace-pre-wrap rounded-lg bg-sunken p-3 font-mono text-[13px] text-muted">
        {text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}
      </pre>
    </FileDialog>
  );
}

interface RenameDialogProps extends Pick<DialogsProps, "state" | "operations"> {
  readonly entry: Entry;
  /** The names in the folder on view. */
  readonly names: () => ReadonlySet<string>;
  readonly onClose: () => void;
}

function RenameDialog({ entry, state: { context, select }, operations, names, onClose }: RenameDialogProps) {
  // A folder of the tree may be in another one.
  const isHere = parentOf(bare(entry.path)) === context.folder;
  const onName = async (name: string) => {
    const path = await operations.rename(entry, name);
    if (isHere) select({ do: "only", paths: [path] });
  };
  return (
    <NameDialog
      title={t("explorer.name.renameTitle")}
      label={t("explorer.name.renameLabel")}
      confirm={t("explorer.command.rename")}
      name={entry.name}
      marked={markedOf(entry)}
      taken={isHere ? names() : new Set()}
      {...{ onName, onClose }}
    />
  );
}

interface AboutDialogProps extends Pick<DialogsProps, "state"> {
  readonly request: Extract<DialogRequest, { readonly kind: "share" | "link" | "collect" | "details" }>;
  readonly onClose: () => void;
}

/** A dialog about entries that stay what they are. */
function AboutDialog({ request, state: { context, open }, onClose }: AboutDialogProps) {
  useLanguage();
  const { signedIn, byLink, may } = context;
  if (request.kind === "details")
    return (
      // Where there is no room for them beside the list.
      <Sheet title={t("explorer.details.title")} onClose={onClose}>
        <Details entries={request.entries} hasLinks={signedIn && !byLink} />
      </Sheet>
    );
  if (request.kind === "collect" || request.kind === "link") return <LinkDialogs {...{ request, may, onClose }} />;
  const { entry } = request;
  const onLink = signedIn ? () => open({ kind: "link", entries: [entry] }) : undefined;
  return <ShareDialog entry={entry} onLink={onLink} onClose={onClose} />;
}

/** How much of a name is marked when it is asked for anew: all but the ending of a file. */
function markedOf({ name, isDirectory }: Entry): number {
  const suggested = readableName(name);
  return isDirectory ? suggested.length : stemLength(suggested);
}
