/** How programs share files and texts with a key. */

import type { ReadyForm, ReadyText } from "#contract/connect";
import { allows } from "#contract/permissions";
import { fileNameOf, picGo, type Sending, screenshot, shareXOfFiles, shareXOfTexts } from "./pictures.ts";
import { type CurlShell, curlIn, type Row, readyFor, word } from "./ready.ts";

/** A key, and where it is used. */
export interface Sharer {
  readonly key: string;
  readonly permissions: number;
  /** Of the server, without a slash at its end. */
  readonly server: string;
  /** Where files can be put in the tree. */
  readonly target: string;
}

const HEADER = "X-API-KEY";

const sendingOf = ({ key, server }: Sharer): Sending => ({
  address: `${server}/`,
  headers: { [HEADER]: key },
  links: { URL: "{json:url}", DeletionURL: "{json:delete}" },
});

/** Rows of what the key may do. */
const allowed = (rows: readonly (Row | false)[]): readonly Row[] => rows.filter((row) => row !== false);

/** How a form shares a file; null where the key may share none. */
export const shareForm = (sharer: Sharer): ReadyForm | null =>
  allows(sharer.permissions, "file_share")
    ? { address: `${sharer.server}/`, field: "file", header: { name: HEADER, value: sharer.key } }
    : null;

/** What each program is told to share by this server. */
export function sharingTexts(sharer: Sharer): readonly ReadyText[] {
  return [
    ...readyFor("curl", curlRows("curl", sharer)),
    ...readyFor("satchel", cliRows(sharer)),
    ...readyFor("powershell", curlRows("powershell", sharer)),
    ...pictureTexts(sharer),
  ];
}

function curlRows(shell: CurlShell, { key, permissions, server, target }: Sharer): readonly Row[] {
  const login = ["-u", `:${key}`];
  const call = (path: string, ...rest: readonly string[]) =>
    curlIn(shell, ...rest, "-H", `${HEADER}: ${key}`, `${server}/api${path}`);
  const list = `/fs/list?path=${encodeURIComponent(target || "/")}`;
  // Of a field by -F curl reads what follows a semicolon as an option.
  const put = ["--form-string", `path=${target}/`, "-F", "filename=photo.jpg", "-F", "file=@photo.jpg"];
  const rows = allowed([
    allows(permissions, "text") && {
      does: "shareText",
      text: curlIn(shell, ...login, "-d", "text=hello", `${server}/`),
    },
    allows(permissions, "file_share") && {
      does: "shareFile",
      text: curlIn(shell, ...login, "-T", "photo.jpg", `${server}/`),
    },
    allows(permissions, "mount_view") && { does: "list", via: "API", text: call(list) },
    allows(permissions, "mount_upload") && { does: "upload", via: "API", text: call("/fs/upload", ...put) },
  ]);
  return rows.length > 0 ? rows : [{ does: "check", via: "API", text: call("/test/api-key") }];
}

/** The program at /cli, which keeps the key in a file. */
function cliRows({ key, permissions, server, target }: Sharer): readonly Row[] {
  const uses = allowed([
    allows(permissions, "text") && { does: "shareText", text: "satchel text hello" },
    allows(permissions, "file_share") && { does: "shareFile", text: "satchel up photo.jpg" },
    allows(permissions, "mount_view") &&
      allows(permissions, "mount_upload") && { does: "collect", text: `satchel in ${word(target || "/")}` },
  ]);
  if (uses.length === 0) return [];
  const program = "~/.local/bin/satchel";
  const install = [
    "mkdir -p ~/.local/bin",
    `curl -fsS ${word(`${server}/cli`)} -o ${program} && chmod +x ${program}`,
    `echo ${word(key)} | ${program} key`,
  ];
  return [{ does: "install", text: install.join("\n") }, ...uses];
}

function pictureTexts(sharer: Sharer): readonly ReadyText[] {
  const { server, key, permissions } = sharer;
  const sending = sendingOf(sharer);
  const mayFile = allows(permissions, "file_share");
  const shareX = allowed([
    mayFile && { does: "shareFile", text: shareXOfFiles(server, sending), file: fileNameOf(server, ".sxcu") },
    allows(permissions, "text") && {
      does: "shareText",
      text: shareXOfTexts(server, sending),
      file: fileNameOf(server, "-text.sxcu"),
    },
  ]);
  if (!mayFile) return readyFor("sharex", shareX);
  const login = `header = "${HEADER}: ${key}"`;
  return [
    ...readyFor("sharex", shareX),
    ...readyFor("picgo", [{ does: "sharePicture", text: picGo(sending), file: "config.json" }]),
    ...readyFor("screenshot", [{ does: "sharePicture", ...screenshot(server, `${server}/`, login) }]),
  ];
}
