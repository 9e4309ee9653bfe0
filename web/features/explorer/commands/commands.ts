import ClipboardPaste from "lucide-react/icons/clipboard-paste";
import Copy from "lucide-react/icons/copy";
import CornerLeftUp from "lucide-react/icons/corner-left-up";
import Download from "lucide-react/icons/download";
import ExternalLink from "lucide-react/icons/external-link";
import Eye from "lucide-react/icons/eye";
import FilePlus from "lucide-react/icons/file-plus";
import Files from "lucide-react/icons/files";
import FolderInput from "lucide-react/icons/folder-input";
import FolderOpen from "lucide-react/icons/folder-open";
import FolderPlus from "lucide-react/icons/folder-plus";
import FolderUp from "lucide-react/icons/folder-up";
import Inbox from "lucide-react/icons/inbox";
import Info from "lucide-react/icons/info";
import Keyboard from "lucide-react/icons/keyboard";
import Link2 from "lucide-react/icons/link-2";
import ListChecks from "lucide-react/icons/list-checks";
import PackageOpen from "lucide-react/icons/package-open";
import Pencil from "lucide-react/icons/pencil";
import RefreshCw from "lucide-react/icons/refresh-cw";
import Scissors from "lucide-react/icons/scissors";
import Search from "lucide-react/icons/search";
import Share2 from "lucide-react/icons/share-2";
import ShoppingBasket from "lucide-react/icons/shopping-basket";
import SquareCheck from "lucide-react/icons/square-check";
import Trash from "lucide-react/icons/trash";
import Trash2 from "lucide-react/icons/trash-2";
import Undo2 from "lucide-react/icons/undo-2";
import Upload from "lucide-react/icons/upload";
import { parentOf } from "#contract/paths";
import { permissions } from "#contract/permissions";
import { bare } from "../../../lib/folder-path.ts";
import { clipboard } from "../model/clipboard.ts";
import type { Command } from "./command.ts";
import type { CommandActions } from "./command-actions.ts";
import {
  type CommandContext,
  isOpen,
  mayShare,
  mayTake,
  mayUnpack,
  only,
  onlyFile,
  someMovable,
} from "./command-context.ts";

/** Everything that can be done in the explorer, in the order in which menus show it. */

const inFolder: readonly Command[] = [
  {
    id: "downloadAll",
    label: "explorer.command.downloadAll",
    icon: Download,
    about: "folder",
    group: 1,
    prominent: true,
    allowed: ({ byLink, mayDownload, count }) => byLink && mayDownload && count > 0,
    run: ({ downloadAll }) => downloadAll(),
  },
  {
    id: "upload",
    label: "explorer.command.upload",
    icon: Upload,
    about: "folder",
    group: 1,
    prominent: true,
    allowed: (now) => isOpen(now) && now.may("mount_upload"),
    run: ({ pick }) => pick("files"),
  },
  {
    id: "uploadFolder",
    label: "explorer.command.uploadFolder",
    icon: FolderUp,
    about: "folder",
    group: 1,
    allowed: (now) => isOpen(now) && now.may("mount_upload"),
    run: ({ pick }) => pick("folder"),
  },
  {
    id: "newFolder",
    label: "explorer.command.newFolder",
    icon: FolderPlus,
    about: "folder",
    group: 1,
    prominent: true,
    allowed: (now) => isOpen(now) && now.may("mount_upload"),
    run: ({ open }) => open({ kind: "folder" }),
  },
  {
    id: "newFile",
    label: "explorer.command.newFile",
    icon: FilePlus,
    about: "folder",
    group: 1,
    // It is opened when it is there.
    allowed: (now) => isOpen(now) && !now.byLink && now.may("mount_upload") && now.may("mount_view"),
    run: ({ open }) => open({ kind: "file" }),
  },
  {
    id: "collectHere",
    label: "explorer.command.collectFiles",
    icon: Inbox,
    about: "folder",
    group: 1,
    allowed: (now) => isOpen(now) && mayCollect(now),
    run: ({ open }, { folder }) => open({ kind: "collect", folder: `${bare(folder)}/` }),
  },
  {
    id: "paste",
    label: "explorer.command.paste",
    icon: ClipboardPaste,
    about: "folder",
    group: 2,
    prominent: true,
    shortcuts: [{ key: "v", mod: true }],
    allowed: (now) => isOpen(now) && now.clip !== undefined && mayPaste(now),
    run: paste,
  },
  {
    id: "undo",
    label: "explorer.command.undo",
    icon: Undo2,
    about: "folder",
    group: 2,
    shortcuts: [{ key: "z", mod: true }],
    allowed: ({ undoable, may }) => undoable !== undefined && may(undoable),
    run: ({ operations }) => void operations.undo(),
  },
  {
    id: "selectAll",
    label: "explorer.command.selectAll",
    icon: SquareCheck,
    about: "folder",
    group: 3,
    shortcuts: [{ key: "a", mod: true }],
    allowed: ({ count, chosen }) => count > 0 && chosen.length < count,
    run: ({ select }) => select({ do: "all" }),
  },
  {
    id: "choose",
    label: "explorer.command.choose",
    icon: ListChecks,
    about: "folder",
    group: 3,
    allowed: ({ count, touch }) => count > 0 && !touch,
    run: ({ select }) => select({ do: "touch" }),
  },
  {
    id: "refresh",
    label: "explorer.command.refresh",
    icon: RefreshCw,
    about: "folder",
    group: 3,
    allowed: ({ may }) => may("mount_view"),
    run: ({ refresh }) => refresh(),
  },
  {
    id: "trash",
    label: "explorer.command.trash",
    icon: Trash,
    about: "folder",
    group: 4,
    // Nothing is there of who may not delete.
    allowed: ({ may, signedIn }) => signedIn && may("mount_view") && may("mount_delete"),
    run: ({ trash }) => trash(),
  },
  {
    id: "shortcuts",
    label: "explorer.command.shortcuts",
    icon: Keyboard,
    about: "folder",
    group: 4,
    shortcuts: [{ key: "?" }],
    allowed: ({ may, byLink }) => byLink || permissions.some(may),
    run: ({ open }) => open({ kind: "shortcuts" }),
  },
  {
    id: "up",
    label: "explorer.command.up",
    icon: CornerLeftUp,
    about: "folder",
    group: 3,
    hidden: true,
    shortcuts: [{ key: "Backspace" }],
    allowed: ({ folder, base }) => folder !== base,
    run: ({ go }, { folder }) => go(parentOf(folder)),
  },
  {
    id: "search",
    label: "explorer.command.search",
    icon: Search,
    about: "folder",
    group: 3,
    hidden: true,
    shortcuts: [{ key: "k", mod: true }, { key: "/" }],
    allowed: ({ may, byLink }) => may("mount_view") && !byLink,
    run: ({ search }) => search(),
  },
];

const ofSelection: readonly Command[] = [
  {
    id: "open",
    label: "explorer.command.open",
    icon: FolderOpen,
    about: "selection",
    group: 1,
    shortcuts: [{ key: "Enter" }],
    allowed: (now) => only(now)?.isDirectory === true,
    run: open,
  },
  {
    id: "openInTab",
    label: "explorer.command.openInTab",
    icon: ExternalLink,
    about: "selection",
    group: 1,
    // Another tab would open a link anew.
    allowed: (now) => only(now)?.isDirectory === true && !now.byLink,
    run: ({ openInTab }, now) => withOne(only(now), ({ path }) => openInTab(bare(path))),
  },
  {
    id: "preview",
    label: "explorer.command.preview",
    icon: Eye,
    about: "selection",
    group: 1,
    shortcuts: [{ key: "Enter" }, { key: " " }],
    allowed: (now) => onlyFile(now) !== undefined,
    run: open,
  },
  {
    id: "download",
    label: "explorer.command.download",
    icon: Download,
    about: "selection",
    group: 1,
    prominent: true,
    allowed: (now) => mayTake(now),
    run: ({ download }, { chosen }) => download(chosen),
  },
  {
    id: "basket",
    label: "explorer.command.basket",
    icon: ShoppingBasket,
    about: "selection",
    group: 1,
    shortcuts: [{ key: "b", mod: true }],
    allowed: (now) => mayTake(now) && !now.byLink,
    run: ({ collect }, { chosen }) => collect(chosen),
  },
  {
    id: "unpack",
    label: "explorer.command.unpack",
    icon: PackageOpen,
    about: "selection",
    group: 1,
    allowed: (now) => mayUnpack(now, onlyFile(now)?.name ?? ""),
    run: ({ open }, now) => withOne(onlyFile(now), (entry) => open({ kind: "unpack", entry })),
  },
  {
    id: "link",
    label: "explorer.command.link",
    icon: Link2,
    about: "selection",
    group: 2,
    allowed: (now) => onlyFile(now) !== undefined && now.may("mount_view") && !now.byLink,
    run: ({ copyLink }, now) => withOne(onlyFile(now), copyLink),
  },
  {
    id: "share",
    label: "explorer.command.share",
    icon: Share2,
    about: "selection",
    group: 2,
    prominent: true,
    allowed: mayShare,
    run: share,
  },
  {
    id: "collectFiles",
    label: "explorer.command.collectFiles",
    icon: Inbox,
    about: "selection",
    group: 2,
    allowed: (now) => only(now)?.isDirectory === true && mayShare(now) && mayCollect(now),
    run: ({ open }, now) => withOne(only(now), ({ path }) => open({ kind: "collect", folder: path })),
  },
  {
    id: "rename",
    label: "explorer.command.rename",
    icon: Pencil,
    about: "selection",
    group: 3,
    prominent: true,
    shortcuts: [{ key: "F2" }],
    allowed: (now) => someMovable(now) && now.may("mount_rename"),
    run: ({ open }, now) => {
      const entry = only(now);
      open(entry ? { kind: "rename", entry } : { kind: "renameMany", entries: now.chosen });
    },
  },
  {
    id: "copyTo",
    label: "explorer.command.copyTo",
    icon: Files,
    about: "selection",
    group: 3,
    prominent: true,
    allowed: (now) => someMovable(now) && now.may("mount_copy"),
    run: ({ open }, { chosen }) => open({ kind: "place", verb: "copy", entries: chosen }),
  },
  {
    id: "moveTo",
    label: "explorer.command.moveTo",
    icon: FolderInput,
    about: "selection",
    group: 3,
    prominent: true,
    allowed: (now) => someMovable(now) && now.may("mount_rename"),
    run: ({ open }, { chosen }) => open({ kind: "place", verb: "move", entries: chosen }),
  },
  {
    id: "copy",
    label: "explorer.command.copy",
    icon: Copy,
    about: "selection",
    group: 4,
    shortcuts: [{ key: "c", mod: true }],
    allowed: (now) => someMovable(now) && now.may("mount_copy"),
    run: ({ hold }, { chosen, folder }) => hold({ verb: "copy", entries: chosen, from: folder }),
  },
  {
    id: "cut",
    label: "explorer.command.cut",
    icon: Scissors,
    about: "selection",
    group: 4,
    shortcuts: [{ key: "x", mod: true }],
    allowed: (now) => someMovable(now) && now.may("mount_rename"),
    run: ({ hold }, { chosen, folder }) => hold({ verb: "move", entries: chosen, from: folder }),
  },
  {
    id: "details",
    label: "explorer.command.details",
    icon: Info,
    about: "selection",
    group: 5,
    allowed: ({ chosen }) => chosen.length > 0,
    run: ({ open }, { chosen }) => open({ kind: "details", entries: chosen }),
  },
  {
    id: "remove",
    label: "explorer.command.remove",
    icon: Trash2,
    about: "selection",
    group: 6,
    prominent: true,
    danger: true,
    shortcuts: [{ key: "Delete" }],
    allowed: (now) => someMovable(now) && now.may("mount_delete"),
    run: ({ open }, { chosen }) => open({ kind: "remove", entries: chosen }),
  },
];

/** What tasks, basket and search add stands in lists of their own folders and is joined here. */
export const commands: readonly Command[] = [...ofSelection, ...inFolder];

/** Whoever lets others send files may upload there. */
const mayCollect = ({ may, byLink, signedIn }: CommandContext): boolean =>
  signedIn && !byLink && may("mount_view") && may("mount_upload");

/** One file has a share of its own, which visitors may make, too; the way to a link is in its dialog. */
function share({ open }: CommandActions, now: CommandContext): void {
  const entry = onlyFile(now);
  open(entry ? { kind: "share", entry } : { kind: "link", entries: now.chosen });
}

function withOne<Value>(value: Value | undefined, act: (value: Value) => void): void {
  if (value !== undefined) act(value);
}

function open({ go }: CommandActions, now: CommandContext): void {
  withOne(only(now), ({ isDirectory, path, name }) => (isDirectory ? go(bare(path)) : go(now.folder, name)));
}

const mayPaste = ({ clip, may }: CommandContext): boolean => may(clip?.verb === "move" ? "mount_rename" : "mount_copy");

function paste({ operations, select }: CommandActions, { clip, folder }: CommandContext): void {
  if (!clip) return;
  if (clip.verb === "move") {
    clipboard.set(undefined);
    // What is there already stays.
    if (clip.from === folder) return;
  }
  const act = clip.verb === "move" ? operations.move : operations.copy;
  void act(clip.entries, folder).then(({ done }) => select({ do: "only", paths: done.map(({ to }) => to) }));
}
