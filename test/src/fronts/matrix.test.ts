import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Access, Endpoint } from "#contract/endpoint";
import { type ToolName, tools } from "#contract/mcp";
import type { MountRecord } from "#contract/mounts";
import { type LinkRight, linkRights, type Permission, permissions } from "#contract/permissions";
import { callTool, post, rpc } from "../../support/clients/mcp.ts";
import { api } from "../../support/contract.ts";
import { makeMount } from "../../support/make-mount.ts";
import { type Actor, actorName, credentialOf } from "../../support/scenario.ts";
import { openTestHouse, type TestHouse } from "../../support/test-house.ts";

/** Who may call what: every endpoint of the contract, called by every kind of caller. */

/** What a caller meets: whatever the endpoint itself says, or a refusal. Nothing that is called here may fail. */
type Outcome = "passes" | 401 | 403 | "fails";

const endpoints: readonly Endpoint[] = Object.values(api).flatMap((family) => Object.values(family));
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

/** What the calls that a right opens answer to visitors, once there is a key for them. Each must be listed here. */
const toVisitors: Readonly<Record<string, Outcome>> = {
  "POST /paste": "passes",
  "GET /pastes": 401,
  "GET /pastes/:id": 401,
  "GET /pastes/:id/log": 401,
  "PUT /pastes/:id": 401,
  "DELETE /pastes/batch-delete": 401,
  "GET /files": 401,
  "GET /files/:id": 401,
  "GET /files/:id/log": 401,
  "PUT /files/:id": 401,
  "DELETE /files/batch-delete": 401,
  "POST /s3/presign": "passes",
  "POST /s3/commit": "passes",
  "POST /upload": "passes",
  "PUT /upload-direct/:filename": "passes",
  "POST /s3/multipart/init": "passes",
  "POST /s3/multipart/parts": "passes",
  "POST /s3/multipart/complete": "passes",
  "POST /s3/multipart/abort": "passes",
  "POST /url/info": "passes",
  "GET /url/proxy": "passes",
  "POST /url/proxy": "passes",
  "POST /url/presign": "passes",
  "POST /url/commit": "passes",
  "POST /url/multipart/init": "passes",
  "POST /url/multipart/complete": "passes",
  "POST /url/multipart/abort": "passes",
  "POST /url/cancel": "passes",
  "GET /s3-configs": "passes",
  "GET /s3-configs/:id": "passes",
  "GET /user/mounts": "passes",
  "GET /user/mounts/:id": "passes",
  "POST /user/cache/clear": 401,
  "DELETE /fs/batch-remove": "passes",
  "GET /fs/download": "passes",
  "GET /fs/file-link": "passes",
  "GET /fs/events": "passes",
  "GET /fs/get": "passes",
  "GET /fs/list": "passes",
  "GET /fs/search": "passes",
  "GET /fs/thumb": "passes",
  "GET /fs/trash": 401,
  "POST /fs/trash/restore": 401,
  "DELETE /fs/trash": 401,
  "DELETE /fs/trash/all": 401,
  "GET /links": 401,
  "POST /links": 401,
  "GET /links/:id": 401,
  "GET /links/:id/log": 401,
  "PUT /links/:id": 401,
  "DELETE /links/:id": 401,
  "GET /links/:id/receipts": 401,
  "GET /links/:id/connection": 401,
  "GET /sealed-keys": 401,
  "POST /sealed-keys": 401,
  "DELETE /sealed-keys/:id": 401,
  "GET /fs/zip": "passes",
  "PUT /fs/thumb": "passes",
  "POST /fs/batch-copy": "passes",
  "POST /fs/batch-copy-commit": "passes",
  "POST /fs/count-shares": 401,
  "POST /fs/create-share": "passes",
  "POST /fs/grant": "passes",
  "POST /fs/mkdir": "passes",
  "POST /fs/multipart/abort": "passes",
  "POST /fs/multipart/complete": "passes",
  "POST /fs/multipart/init": "passes",
  "PUT /fs/multipart/part": 401,
  "POST /fs/multipart/parts": "passes",
  "POST /fs/presign": "passes",
  "POST /fs/presign/abort": "passes",
  "POST /fs/presign/commit": "passes",
  "POST /fs/rename": "passes",
  "POST /fs/update": "passes",
  "POST /fs/upload": "passes",
  "POST /fs/zip": "passes",
};

/** What an endpoint answers to somebody who holds these rights and nothing more. */
type ToHolder = (held: readonly Permission[]) => Outcome;

const right =
  (needed: Permission): ToHolder =>
  (held) =>
    held.includes(needed) ? "passes" : 403;

/** The one table: what each kind of access means for the holder of a valid key. */
const toKeys: Readonly<Record<Access, ToHolder>> = {
  anyone: () => "passes",
  caller: () => "passes",
  admin: () => 403,
  text: right("text"),
  file_share: right("file_share"),
  mount_view: right("mount_view"),
  mount_upload: right("mount_upload"),
  mount_copy: right("mount_copy"),
  mount_rename: right("mount_rename"),
  mount_delete: right("mount_delete"),
  webdav_read: right("webdav_read"),
  webdav_manage: right("webdav_manage"),
};

/** What is open to links, and the right of a link that each takes. Each must be listed here. */
const toLinks: Readonly<Record<string, LinkRight>> = {
  "GET /fs/list": "view",
  "GET /fs/events": "view",
  "GET /fs/get": "view",
  "GET /fs/search": "view",
  "GET /fs/download": "view",
  "GET /fs/thumb": "view",
  "GET /fs/file-link": "view",
  "GET /fs/zip": "download",
  "POST /fs/zip": "download",
  "POST /fs/grant": "download",
  "POST /fs/mkdir": "upload",
  "POST /fs/upload": "upload",
  "POST /fs/multipart/init": "upload",
  "POST /fs/multipart/parts": "upload",
  "PUT /fs/multipart/part": "upload",
  "POST /fs/multipart/complete": "upload",
  "POST /fs/multipart/abort": "upload",
};

/** The rights that each tool of MCP takes, all of them. Each must be listed here. */
const toTools: Readonly<Record<ToolName, readonly Permission[]>> = {
  list_folder: ["mount_view"],
  search_files: ["mount_view"],
  read_file: ["mount_view"],
  download_file: ["mount_view"],
  upload_file: ["mount_upload"],
  finish_upload: ["mount_upload"],
  share_path: ["mount_view"],
  make_inbound_link: ["mount_view", "mount_upload"],
  share_text: ["text"],
  read_text: ["text"],
  share_file: ["file_share"],
  finish_file_share: ["file_share"],
};

/** The tools that a caller has; 401 or 403 for whoever is not let in at all, as no visitor and no link is. */
function toolsOf(actor: Actor): readonly string[] | 401 | 403 {
  if (actor === "admin" || actor === "any key") return Object.keys(toTools);
  if (actor === "wrong link") return 403;
  if (typeof actor === "string") return 401;
  if ("link" in actor) return 403;
  return Object.entries(toTools).flatMap(([name, rights]) =>
    rights.every((right) => actor.key.includes(right)) ? name : [],
  );
}

/** Undefined when nobody has said what is to be expected. */
function expectedOf(actor: Actor, endpoint: Endpoint): Outcome | undefined {
  const { access } = endpoint;
  if (access === "anyone" || actor === "admin") return "passes";
  if (actor === "visitor") return access === "admin" || access === "caller" ? 401 : toVisitors[nameOf(endpoint)];
  if (actor === "any key") return toKeys[access]?.(permissions);
  if (actor === "wrong link") return 403;
  if (typeof actor === "object" && "link" in actor) {
    const needed = toLinks[nameOf(endpoint)];
    // Whoever may take something along may look at it.
    const held = actor.link.includes("download") ? ["view", ...actor.link] : actor.link;
    return needed !== undefined && held.includes(needed) ? "passes" : 403;
  }
  return typeof actor === "object" ? toKeys[access]?.(actor.key) : 401;
}

const actors: readonly Actor[] = [
  "anyone",
  "wrong token",
  "wrong key",
  "expired key",
  "wrong link",
  ...linkRights.map((right) => ({ link: [right] })),
  { link: linkRights },
  "admin",
  { key: [] },
  ...permissions.map((one) => ({ key: [one] })),
  "any key",
  { key: permissions, basePath: "/team/photos" },
  // Last, because from then on there is a visitors' key.
  "visitor",
];

/** Nothing that is named here exists and every body is empty, so whoever passes changes nothing. */
async function call(house: TestHouse, { method, path, body, encoding }: Endpoint, headers: Record<string, string>) {
  const url = `/api${path.replace(/:\w+/g, "nothing")}`;
  const sent = encoding ? { body: new URLSearchParams() } : { body: "{}" };
  return await house.request(url, { method, headers, ...(body && sent) });
}

function outcomeOf({ status }: Response): Outcome {
  if (status === 401 || status === 403) return status;
  return status >= 500 ? "fails" : "passes";
}

/** What the base path of a key changes: the mounts that it is shown. */
async function mountsOf(house: TestHouse, actor: Actor): Promise<string[]> {
  const response = await house.request("/api/user/mounts", { headers: await credentialOf(house, actor) });
  const { data } = (await response.json()) as { data: readonly MountRecord[] };
  return data.map(({ mount_path }) => mount_path);
}

describe("who may call what", () => {
  let house: TestHouse;
  beforeAll(async () => {
    house = await openTestHouse();
  });
  afterAll(() => house[Symbol.asyncDispose]());

  test("every endpoint that a right opens says what visitors meet, and none is listed that is not there", () => {
    const byRight = endpoints.filter(({ access }) => access !== "anyone" && access !== "caller" && access !== "admin");
    expect(Object.keys(toVisitors).sort()).toEqual(byRight.map(nameOf).sort());
  });

  test("what is open to links is listed, with the right that it takes", () => {
    const open = endpoints.flatMap((one) => (one.links ? [[nameOf(one), one.links] as const] : []));
    expect(Object.fromEntries(open)).toEqual(toLinks);
  });

  test("a key sees no mount beside its base path", async () => {
    await using furnished = await openTestHouse();
    for (const mount_path of ["/team/photos/raw", "/teams"])
      await makeMount(furnished, { name: mount_path, mount_path });
    expect(await mountsOf(furnished, "any key")).toEqual(["/team/photos/raw", "/teams", "/drive"]);
    expect(await mountsOf(furnished, { key: permissions, basePath: "/team/photos" })).toEqual(["/team/photos/raw"]);
  });

  for (const actor of actors) {
    test(`${actorName(actor)}`, async () => {
      const once = await credentialOf(house, actor);
      // One of the calls ends the session that it comes with.
      const headers = () => (actor === "admin" ? credentialOf(house, actor) : once);
      const met: Record<string, Outcome> = {};
      for (const endpoint of endpoints) met[nameOf(endpoint)] = outcomeOf(await call(house, endpoint, await headers()));
      const expected = Object.fromEntries(endpoints.map((one) => [nameOf(one), expectedOf(actor, one)]));
      expect(met).toEqual(expected as typeof met);
    });
  }

  test("every tool of MCP is listed with the rights that it takes", () => {
    const declared = Object.entries(tools).map(([name, { rights }]) => [name, rights] as const);
    expect<unknown>(Object.fromEntries(declared)).toEqual(toTools);
  });

  for (const actor of [...actors, { key: ["mount_view", "mount_upload"] } as const]) {
    test(`${actorName(actor)}, by MCP`, async () => {
      await using own = await openTestHouse();
      const headers = await credentialOf(own, actor);
      const expected = toolsOf(actor);
      const { status, message } = await post(own, rpc("tools/list"), headers);
      expect(status).toBe(typeof expected === "number" ? expected : 200);
      if (typeof expected === "number") return;
      const listed = message.result?.tools as readonly { readonly name: string }[];
      expect(listed.map(({ name }) => name)).toEqual([...expected]);
      for (const name of Object.keys(toTools)) {
        const { text } = await callTool(own, headers, name, { none: 1 });
        // What is said of the input is said to nobody who may not call.
        const refused = text === "No permission to perform this action.";
        expect({ name, text, refused }).toEqual({ name, text, refused: !expected.includes(name) });
      }
    });
  }
});
