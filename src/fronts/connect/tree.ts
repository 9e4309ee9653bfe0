/** How programs use what a key sees of the tree, over WebDAV and S3. */

import type { ReadyText } from "#contract/connect";
import { allows, permissionsOf } from "#contract/permissions";
import { S3_REGION } from "../bucket-names.ts";
import { curlIn, encoded, type Row, readyFor, s3Clients, s3Environment, word } from "./ready.ts";
import type { Sharer } from "./shares.ts";

/** A key, where it is used, and what of the tree it sees. */
interface Place extends Sharer {
  /** The name under which the key signs S3 requests. */
  readonly accessKey: string;
  /** A folder that the key sees, such as /drive; empty is all of the tree. */
  readonly folder: string;
  /** Where that folder is over S3; undefined when it is in no mount. */
  readonly bucket: Bucket | undefined;
  readonly targetBucket: Bucket | undefined;
}

interface Bucket {
  readonly name: string;
  readonly prefix: string;
}

/** The protocols that rights open. */
export function protocolsOf(permissions: number): ("webdav" | "s3")[] {
  const isFor = (begin: string) => permissionsOf(permissions).some((right) => right.startsWith(begin));
  return [...(isFor("webdav_") ? (["webdav"] as const) : []), ...(isFor("mount_") ? (["s3"] as const) : [])];
}

/** What each program is told of the protocols that the key's rights open. */
export function treeTexts(place: Place): readonly ReadyText[] {
  const open = protocolsOf(place.permissions);
  return [...(open.includes("webdav") ? davTexts(place) : []), ...(open.includes("s3") ? s3Texts(place) : [])];
}

/** The address of a folder over WebDAV. */
export const davAddress = ({ server, folder }: Pick<Place, "server" | "folder">): string =>
  `${server}/dav${encoded(folder)}`;

const WEBDAV = "WebDAV";

function davTexts(place: Place): readonly ReadyText[] {
  const { key, permissions, server, target } = place;
  const url = davAddress(place);
  const inner = davAddress({ server, folder: target });
  const rclone = `rclone config create satchel webdav \\\n  url=${word(url)} vendor=nextcloud user=key pass=${key} --obscure`;
  const put: Row = {
    does: "upload",
    via: WEBDAV,
    text: curlIn("curl", "-u", `key:${key}`, "-T", "photo.jpg", `${inner}/`),
  };
  return [
    ...readyFor("curl", allows(permissions, "webdav_manage") ? [put] : []),
    ...readyFor("rclone", [{ does: "sync", via: WEBDAV, text: `${rclone}\nrclone lsf satchel:` }]),
    ...readyFor("davfs2", [
      { does: "drive", via: WEBDAV, text: `sudo mount -t davfs -o username=key ${word(url)} /mnt` },
    ]),
    ...readyFor("windows", [{ does: "drive", via: WEBDAV, text: `net use * ${JSON.stringify(url)} ${key} /user:key` }]),
  ];
}

const S3 = "S3";

function s3Texts({ key, accessKey, server, bucket, targetBucket }: Place): readonly ReadyText[] {
  const { host, protocol, pathname } = new URL(server);
  const isSafe = protocol === "https:";
  const folder = bucket ? `${bucket.name}/${bucket.prefix}` : "";
  const client = { endpoint: server, region: S3_REGION, id: accessKey, secret: key };
  const options = `--host=${host} --host-bucket=${host} --access_key=${accessKey} --secret_key=${key}${isSafe ? "" : " --no-ssl"}`;
  const profile = isSafe ? "S3 (Deprecated path style requests)" : "S3 (HTTP)";
  const anywhere = s3Clients({ name: "satchel-s3", ...client, target: folder }, S3);
  // The others know a host as an endpoint, and no path of it.
  if (pathname !== "/") return anywhere;
  const inner = targetBucket && encoded(`${targetBucket.name}/${targetBucket.prefix}`);
  const restic = `${s3Environment(client)}\nrestic -r ${word(`s3:${server}/${inner}backup`)} init`;
  const bookmark = `${profile}\nServer: ${host}\nAccess Key ID: ${accessKey}\nSecret Access Key: ${key}\nPath: /${folder}`;
  return [
    ...anywhere,
    ...readyFor("s3cmd", [{ does: "list", via: S3, text: `s3cmd ${options} \\\n  ls ${word(`s3://${folder}`)}` }]),
    // A repository belongs into a bucket.
    ...readyFor("restic", inner === undefined ? [] : [{ does: "backup", via: S3, text: restic }]),
    ...readyFor("cyberduck", [{ does: "browse", via: S3, text: bookmark }]),
  ];
}
