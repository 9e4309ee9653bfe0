import { Failure } from "#contract/failures";
import { parseHttpDate } from "../../lib/conditional.ts";
import { placeOf } from "../../vfs/webdav/properties.ts";
import { type Call, conditionOf, xmlOf } from "./call.ts";
import { DAV, readPropertyUpdate, type WantedChange } from "./elements.ts";
import { hrefOf } from "./headers.ts";
import { live } from "./live.ts";
import { emptyProperty, MICROSOFT, multistatus, propstat, response, WIN32_MODIFIED } from "./multistatus.ts";

/** What keeps a PROPPATCH from being done. */
interface Refusal {
  readonly status: number;
  readonly isRefused: (change: WantedChange) => boolean;
  readonly error?: string;
}

const isProtected = ({ namespace, name }: WantedChange): boolean => namespace === DAV && live.has(name);

/**
 * When a file is to have been modified, in epoch milliseconds; undefined for any other property, NaN for no time. Windows says it
 * as a date, and rclone in seconds.
 */
function timeOf({ namespace, name, value, text }: WantedChange): number | undefined {
  if (value === undefined) return undefined;
  if (namespace === MICROSOFT && name === WIN32_MODIFIED) return parseHttpDate(text.trim()) ?? Number.NaN;
  if (namespace !== DAV || name !== "lastmodified") return undefined;
  return /^\d{1,12}$/.test(text.trim()) ? Number(text) * 1000 : Number.NaN;
}

/** PROPPATCH (RFC 4918 section 9.2): all of the changes or none. 404 path.missing. */
export async function proppatch(call: Call): Promise<Response> {
  const { node, rooms, context } = call;
  const changes = readPropertyUpdate(await xmlOf(call));
  const found = await node.stat();
  node.requireWritable("write", false);
  const place = placeOf(found);
  if (!place) throw new Failure("mount.none");
  const href = hrefOf(context, node.location.path, found.entry.kind);
  const times = found.head ? changes.filter((change) => timeOf(change) !== undefined) : [];

  const refuse = (refusal: Refusal): Response => multistatus(response(href, refused(changes, refusal)));
  if (changes.some(isProtected))
    return refuse({ status: 403, isRefused: isProtected, error: "cannot-modify-protected-property" });
  const isNoTime = (change: WantedChange) => times.includes(change) && Number.isNaN(timeOf(change));
  if (times.some(isNoTime)) return refuse({ status: 409, isRefused: isNoTime });
  // Nothing was asked anew while the body came.
  (await node.again()).requireWritable("write", false);
  await conditionOf(call)?.();
  try {
    await rooms.vfs.properties.patch(
      place,
      changes.filter((change) => !times.includes(change)),
    );
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "property.tooMany") throw error;
    return refuse({ status: error.status, isRefused: ({ value }) => value !== undefined });
  }
  const modified = times.map(timeOf).at(-1);
  if (found.head && modified !== undefined)
    await rooms.vfs.properties.setModified(place, { etag: found.head.etag, modified });
  return multistatus(response(href, propstat(names(changes), 200)));
}

/** Each name once, however often it was named. */
const names = (changes: readonly WantedChange[]): string => [...new Set(changes.map(emptyProperty))].join("");

function refused(changes: readonly WantedChange[], { status, isRefused, error }: Refusal): string {
  const why = error === undefined ? "" : `<D:error><D:${error}/></D:error>`;
  const others = names(changes.filter((change) => !isRefused(change)));
  return propstat(names(changes.filter(isRefused)), status, why) + (others === "" ? "" : propstat(others, 424));
}
