import type { ReadyLines } from "#contract/keys";
import { allows, type Permission, permissionsOf } from "#contract/permissions";
import { S3_REGION } from "../bucket-names.ts";

/** A key, where it is used, and what of the tree it sees. */
interface Place {
  readonly key: string;
  /** The name under which the key signs S3 requests. */
  readonly accessKey: string;
  readonly permissions: number;
  /** Of the server, without a slash at its end. */
  readonly server: string;
  /** A folder that the key sees, such as /drive; empty is all of the tree. */
  readonly folder: string;
  /** Where that folder is over S3; undefined when the key sees no mount. */
  readonly bucket: { readonly name: string; readonly prefix: string } | undefined;
}

/** Ready lines for the programs with which a key can be used, by protocol. */
export function readyLines(place: Place): readonly ReadyLines[] {
  const isFor = (begin: string) => permissionsOf(place.permissions).some((right) => right.startsWith(begin));
  return [
    ...restLines(place),
    ...(isFor("webdav_") ? davLines(place) : []),
    ...(isFor("mount_") ? s3Lines(place) : []),
  ];
}

const encoded = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

/** A text as one word of a shell; `it's` becomes two quoted words around an escaped quote. */
const word = (text: string): string => (/^[\w:/.@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** The address of a folder over WebDAV. */
export const davAddress = ({ server, folder }: Pick<Place, "server" | "folder">): string =>
  `${server}/dav${encoded(folder)}`;

function restLines({ key, permissions, server, folder }: Place): readonly ReadyLines[] {
  const curl = (path: string, rest: string) =>
    `curl ${word(`${server}/api${path}`)} \\\n  -H ${word(`Authorization: ApiKey ${key}`)}${rest}`;
  const json = ` \\\n  -H 'Content-Type: application/json' \\\n  -d '{"content":"hello"}'`;
  const upload = ` \\\n  -F ${word(`path=${folder}/`)} -F filename=photo.jpg -F file=@photo.jpg`;
  const all: readonly (readonly [need: Permission, tool: string, lines: string])[] = [
    ["text", "POST /api/paste", curl("/paste", json)],
    ["file_share", "POST /api/upload", curl("/upload", " \\\n  -F file=@photo.jpg")],
    ["mount_view", "GET /api/fs/list", curl(`/fs/list?path=${encodeURIComponent(folder || "/")}`, "")],
    ["mount_upload", "POST /api/fs/upload", curl("/fs/upload", upload)],
  ];
  const may = all.filter(([need]) => allows(permissions, need));
  const lines = may.map(([, tool, text]) => ({ protocol: "rest" as const, tool, lines: text }));
  return lines.length > 0
    ? lines
    : [{ protocol: "rest", tool: "GET /api/test/api-key", lines: curl("/test/api-key", "") }];
}

function davLines(place: Place): readonly ReadyLines[] {
  const { key } = place;
  const url = davAddress(place);
  const rclone = `rclone config create satchel webdav \\\n  url=${word(url)} vendor=nextcloud user=key pass=${key} --obscure`;
  const all = {
    rclone: `${rclone}\nrclone lsf satchel:`,
    davfs2: `sudo mount -t davfs -o username=key ${word(url)} /mnt`,
    Windows: `net use * ${JSON.stringify(url)} ${key} /user:key`,
    curl: `curl -u ${word(`key:${key}`)} -T photo.jpg ${word(`${url}/`)}`,
  };
  return Object.entries(all).map(([tool, lines]) => ({ protocol: "webdav", tool, lines }));
}

function s3Lines({ key, accessKey, server, bucket }: Place): readonly ReadyLines[] {
  const { host, protocol, pathname } = new URL(server);
  const isSafe = protocol === "https:";
  const folder = bucket ? `${bucket.name}/${bucket.prefix}` : "";
  const environment = `export AWS_ACCESS_KEY_ID=${accessKey}\nexport AWS_SECRET_ACCESS_KEY=${key}\nexport AWS_DEFAULT_REGION=${S3_REGION}`;
  const rclone = `rclone config create satchel-s3 s3 provider=Other \\\n  endpoint=${server} region=${S3_REGION} access_key_id=${accessKey} \\\n  secret_access_key=${key} force_path_style=true`;
  const options = `--host=${host} --host-bucket=${host} --access_key=${accessKey} --secret_key=${key}${isSafe ? "" : " --no-ssl"}`;
  const profile = isSafe ? "S3 (Deprecated path style requests)" : "S3 (HTTP)";
  const anywhere = {
    awscli: `${environment}\naws --endpoint-url ${server} s3 ls ${word(`s3://${folder}`)}`,
    rclone: `${rclone}\nrclone lsf ${word(`satchel-s3:${folder}`)}`,
  };
  const atRoot = {
    s3cmd: `s3cmd ${options} \\\n  ls ${word(`s3://${folder}`)}`,
    // A repository belongs into a bucket.
    ...(bucket && { restic: `${environment}\nrestic -r ${word(`s3:${server}/${encoded(folder)}backup`)} init` }),
    Cyberduck: `${profile}\nServer: ${host}\nAccess Key ID: ${accessKey}\nSecret Access Key: ${key}\nPath: /${folder}`,
  };
  // These know a host as an endpoint, and no path of it.
  const all = { ...anywhere, ...(pathname === "/" && atRoot) };
  return Object.entries(all).map(([tool, lines]) => ({ protocol: "s3", tool, lines }));
}
