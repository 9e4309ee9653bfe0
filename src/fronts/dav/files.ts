import { Failure } from "#contract/failures";
import { nameOf } from "#contract/paths";
import { isLocal } from "#contract/providers";
import { disposition, servedType, typeOf } from "../../lib/mime.ts";
import { serveFile, untrustedHeaders } from "../bytes.ts";
import { requireWhole } from "../context.ts";
import { clientOf, logDownload, logUpload } from "../downloads.ts";
import { type Call, conditionOf, hasBody, modifiedOf, parentOfNode } from "./call.ts";
import { givenTime, invalid, parseDepth } from "./headers.ts";

/** How often a file may change between the question what it is and the one for its bytes. */
const TRIES = 3;

const FOLDER = "This is a folder. Open it with a WebDAV client.\n";

/**
 * GET and HEAD: a file from its storage by an address of its own, if the mount says so, or through this server under conditions
 * and ranges. Of a folder only that it is one. 404 path.missing, 503 server.busy.
 */
export async function get(call: Call): Promise<Response> {
  const { request, node, rooms, context, caller } = call;
  for (let tries = 0; tries < TRIES; tries++) {
    const found = await node.stat();
    const { head, location, entry } = found;
    if (!head) return new Response(FOLDER, { headers: { ...untrustedHeaders, "content-type": "text/plain" } });
    const { mount } = location;
    if (request.method === "GET" && mount?.webdav_policy === "302_redirect" && !isLocal(mount)) {
      const { url } = await node.link({ base: context.base(), kind: "attachment" });
      return new Response(null, { status: 302, headers: { location: url, "cache-control": "no-store" } });
    }
    const file = {
      ...{ size: head.size, etag: head.etag, modified: await modifiedOf(rooms, found, head) },
      type: servedType(head.type),
      disposition: disposition("attachment", nameOf(entry.path)),
      cache: "no-cache",
    } as const;
    const opened = await node.open("download", found);
    const response = await serveFile(request, file, async (range) => {
      if (caller.kind === "link") await rooms.links.download(caller, opened);
      return await opened.read(range);
    });
    if (response) return response.ok ? logged(call, response) : response;
  }
  throw new Failure("server.busy");
}

/** An answer with a file, of which the owner of a link learns. */
const logged = ({ caller, node, request, context, rooms: { activity } }: Call, answer: Response): Response => {
  if (caller.kind !== "link") return answer;
  const name = nameOf(node.location.path);
  return logDownload(answer, { activity, subject: caller, client: clientOf(request, context), name });
};

/** PUT (RFC 4918 section 9.7): 201 for a new file, 204 for one that was replaced. 405 path.isFolder, 409 path.noParent. */
export async function put(call: Call): Promise<Response> {
  const { request, node, rooms, context } = call;
  const { headers } = request;
  requireWhole(request);
  const modified = givenTime(headers);
  node.requireWritable("write", false);
  const { path, folder } = node.location;
  if (folder) throw new Failure("path.isFolder");
  await parentOfNode(call, node);
  context.hold();
  const { entry, key, created } = await node.put({
    body: request,
    type: typeOf(nameOf(path), headers.get("content-type")),
    length: context.length,
    condition: conditionOf(call),
    inParts: rooms.settings.get("webdav_upload_mode") === "multipart",
  });
  logUpload(rooms.activity, call.caller, clientOf(request, context), entry);
  const { mount } = node.location;
  const etag = entry.etag ?? "";
  const answer = new Headers({ etag: `"${etag}"` });
  if (modified !== undefined && mount) {
    await rooms.vfs.properties.setModified({ storage: mount.storage, key }, { etag, modified });
    answer.set("x-oc-mtime", "accepted");
  }
  return new Response(null, { status: created ? 201 : 204, headers: answer });
}

/** DELETE (RFC 4918 section 9.6), of a folder with all below it. 404 path.missing. */
export async function remove(call: Call): Promise<Response> {
  const { request, node } = call;
  if (parseDepth(request.headers.get("depth"), "infinity") !== "infinity") throw invalid("Depth");
  await node.stat();
  if (!(await node.remove({ condition: conditionOf(call) }))) throw new Failure("path.missing");
  return new Response(null, { status: 204 });
}

/** MKCOL (RFC 4918 section 9.3). 405 for what is there already, 409 path.noParent, 415 for a body. */
export async function mkcol(call: Call): Promise<Response> {
  const { node } = call;
  if (hasBody(call)) throw new Failure("media.unsupported");
  node.requireInBasePath("mkdir");
  await parentOfNode(call, node);
  if (!(await node.mkdir())) throw new Failure("method.notAllowed");
  return new Response(null, { status: 201 });
}
