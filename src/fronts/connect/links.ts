/** How programs use a link: they list what is in it, and send files by it. */

import { PASSWORD_GAP, type ReadyForm, type ReadyText } from "#contract/connect";
import type { LinkBucket } from "#contract/links";
import { fileNameOf, type Sending, screenshot, shareXOfFiles } from "./pictures.ts";
import { type CurlShell, curlIn, type Row, readyFor, s3Clients } from "./ready.ts";

/** A link, and where it is used. Its password is known to nobody here. */
interface SharedLink {
  readonly slug: string;
  readonly mayView: boolean;
  readonly maySend: boolean;
  readonly hasPassword: boolean;
  /** Of the server, without a slash at its end. */
  readonly server: string;
  /** Of a link that shows something. */
  readonly bucket: LinkBucket | null;
}

const inbound = ({ server, slug }: SharedLink): string => `${server}/in/${encodeURIComponent(slug)}`;

/** How a form sends a file; null where the link takes none, or asks for a password, which no header of a form can be made of by hand. */
export const linkForm = (link: SharedLink): ReadyForm | null =>
  link.maySend && !link.hasPassword ? { address: inbound(link), field: "file", header: null } : null;

/** What each program is told to use a link. */
export function linkTexts(link: SharedLink): readonly ReadyText[] {
  return [
    ...readyFor("curl", curlRows("curl", link)),
    ...readyFor("powershell", curlRows("powershell", link)),
    ...(link.maySend ? sendingTexts(link) : []),
    ...(link.bucket ? bucketTexts(link.bucket) : []),
  ];
}

/** curl asks for the password when it has only a name. */
function curlRows(shell: CurlShell, link: SharedLink): readonly Row[] {
  const { slug, server, hasPassword } = link;
  const login = hasPassword ? ["-u", slug] : [];
  const list = curlIn(shell, ...login, `${server}/s/${encodeURIComponent(slug)}`);
  const send = curlIn(shell, ...login, "-T", "photo.jpg", `${inbound(link)}/`);
  return [
    ...(link.mayView ? [{ does: "list", text: list } as const] : []),
    ...(link.maySend ? [{ does: "send", text: send } as const] : []),
  ];
}

function sendingTexts(link: SharedLink): readonly ReadyText[] {
  const { slug, server, hasPassword } = link;
  const login = `${slug}:${PASSWORD_GAP}`;
  const headers: Sending["headers"] = hasPassword ? { Authorization: `Basic {base64:${login}}` } : {};
  const sending = {
    address: inbound(link),
    headers,
    // Senders see nothing of what is there, but their receipt.
    links: { URL: `${server}/api/public/receipts/{json:receipt}` },
  };
  const script = screenshot(server, `${inbound(link)}/`, hasPassword ? `user = "${login}"` : "");
  return [
    ...readyFor("sharex", [
      { does: "send", text: shareXOfFiles(server, sending), file: fileNameOf(server, `-${slug}.sxcu`) },
    ]),
    ...readyFor("screenshot", [{ does: "send", ...script }]),
  ];
}

const bucketTexts = ({ endpoint, region, access_key_id: id, secret_access_key: secret }: LinkBucket) =>
  s3Clients({ name: "satchel-link", endpoint, region, id, secret, target: `${id}/` });
