import type { KeyRecord } from "#contract/keys";
import { MIN_S3_SECRET_CHARACTERS } from "#contract/limits";
import { allows, type Permission, permissionsOf } from "#contract/permissions";

/** The doors through which a key gets in. */
const doors = ["rest", "webdav", "s3"] as const;
export type Door = (typeof doors)[number];

/** Any region is right; this one every tool knows. */
export const S3_REGION = "us-east-1";

/** What a program has to be told, ready to be pasted. */
interface Lines {
  /** The program as everybody calls it, or what the lines do. */
  readonly tool: string;
  readonly lines: string;
}

/** A key, where it is used, and a folder it may see. */
interface Place {
  readonly record: KeyRecord;
  /** Of the server, without a slash at its end. */
  readonly server: string;
  /** In the tree, such as /drive; empty for all of it. */
  readonly folder: string;
}

/** The doors that a key's rights open. */
export function doorsOf({ permissions }: Pick<KeyRecord, "permissions">): readonly Door[] {
  const isFor = (begin: string) => permissionsOf(permissions).some((right) => right.startsWith(begin));
  return doors.filter((door) => door === "rest" || isFor(door === "s3" ? "mount_" : "webdav_"));
}

/** Reports whether a key is long enough to sign S3 requests. */
export const maySign = ({ key }: Pick<KeyRecord, "key">): boolean => key.length >= MIN_S3_SECRET_CHARACTERS;

const encoded = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

/** A text as one word of a shell. */
const word = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The address of a folder over WebDAV. */
export const davAddress = ({ server, folder }: Pick<Place, "server" | "folder">): string =>
  `${server}/dav${encoded(folder)}`;

/** The bucket that a folder's mount is over S3: its path with dots for slashes. */
const bucketOf = (folder: string): string => folder.split("/").filter(Boolean).join(".");

/** Ready lines for one door. */
export function linesOf(door: Door, place: Place): readonly Lines[] {
  if (door === "rest") return restLines(place);
  return door === "webdav" ? davLines(place) : s3Lines(place);
}

function restLines({ record: { key, permissions }, server, folder }: Place): readonly Lines[] {
  const curl = (path: string, rest: string) =>
    `curl ${word(`${server}/api${path}`)} \\\n  -H ${word(`Authorization: ApiKey ${key}`)}${rest}`;
  const json = ` \\\n  -H 'Content-Type: application/json' \\\n  -d '{"content":"hello"}'`;
  const all: readonly (readonly [Permission, string, string])[] = [
    ["text", "POST /api/paste", curl("/paste", json)],
    ["file_share", "POST /api/upload", curl("/upload", " \\\n  -F file=@photo.jpg")],
    ["mount_view", "GET /api/fs/list", curl(`/fs/list?path=${encodeURIComponent(folder || "/")}`, "")],
    [
      "mount_upload",
      "POST /api/fs/upload",
      curl("/fs/upload", ` \\\n  -F ${word(`path=${folder}/`)} -F filename=photo.jpg -F file=@photo.jpg`),
    ],
  ];
  const may = all.filter(([right]) => allows(permissions, right));
  const lines = may.map(([, tool, text]) => ({ tool, lines: text }));
  return lines.length > 0 ? lines : [{ tool: "GET /api/test/api-key", lines: curl("/test/api-key", "") }];
}

function davLines(place: Place): readonly Lines[] {
  const { key } = place.record;
  const url = davAddress(place);
  const rclone = `rclone config create satchel webdav \\\n  url=${word(url)} vendor=nextcloud user=key pass=${key} --obscure`;
  return [
    { tool: "rclone", lines: `${rclone}\nrclone ls satchel:` },
    { tool: "davfs2", lines: `sudo mount -t davfs -o username=key ${word(url)} /mnt` },
    { tool: "Windows", lines: `net use * ${JSON.stringify(url)} ${key} /user:key` },
    { tool: "curl", lines: `curl -u ${word(`key:${key}`)} -T photo.jpg ${word(`${url}/`)}` },
  ];
}

function s3Lines({ record: { key, s3_access_key_id: id }, server, folder }: Place): readonly Lines[] {
  const bucket = bucketOf(folder);
  const { host, protocol } = new URL(server);
  const isSafe = protocol === "https:";
  const environment = `export AWS_ACCESS_KEY_ID=${id}\nexport AWS_SECRET_ACCESS_KEY=${key}\nexport AWS_DEFAULT_REGION=${S3_REGION}`;
  const rclone = `rclone config create satchel-s3 s3 provider=Other \\\n  endpoint=${server} region=${S3_REGION} access_key_id=${id} \\\n  secret_access_key=${key} force_path_style=true`;
  const options = `--host=${host} --host-bucket=${host} --access_key=${id} --secret_key=${key}${isSafe ? "" : " --no-ssl"}`;
  return [
    { tool: "awscli", lines: `${environment}\naws --endpoint-url ${server} s3 ls s3://${bucket}` },
    { tool: "rclone", lines: `${rclone}\nrclone ls satchel-s3:${bucket}` },
    { tool: "s3cmd", lines: `s3cmd ${options} \\\n  ls s3://${bucket}` },
    { tool: "restic", lines: `${environment}\nrestic -r s3:${server}/${bucket}/backup init` },
    {
      tool: "Cyberduck",
      lines: `Server: ${host}\nAccess Key ID: ${id}\nSecret Access Key: ${key}\nPath: /${bucket}`,
    },
  ];
}
