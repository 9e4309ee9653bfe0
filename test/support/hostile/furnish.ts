import type { Known, Role } from "./known.ts";
import { type Answered, beginUploads, type Call, text } from "./uploads.ts";

/** A house under attack, as its administrator knows it. */
export interface Furnished {
  /** Puts back what an attack has removed, and tells what requests must know now. */
  restore(): Promise<Known>;
}

interface Owner {
  readonly address: string;
  /** The present password is one of these. */
  readonly passwords: readonly string[];
}

/** Where the administrator calls from: somewhere that no attack comes from. */
const OWN_ADDRESS = { "x-forwarded-for": "192.0.2.7" };

const KEYS = {
  key: "hostile-key-0123456789-0123456789-ab",
  scoped: "hostile-scoped-0123456789-0123456789",
  ending: "hostile-ending-0123456789-0123456789",
};

const FILES = [
  "/drive/a.txt",
  "/drive/docs/b.md",
  "/drive/docs/sub/c.txt",
  "/drive/漢字 100%#?+&=;.txt",
  "/drive/empty",
  "/drive/photos/d.bin",
];
/** Files that are shared from the tree, and which no request names there. */
const BEHIND_SHARES = ["/drive/shared/a.txt", "/drive/shared/b.txt"];
const TEXTS = ["seed-text", "seed-locked", "seed-limited"];
const SHARED = ["seed-file", "seed-locked-file"];
const FOLDERS = ["/drive/docs/", "/drive/docs/sub/", "/drive/photos/", "/drive/new/", "/"];
const TARGETS = [
  "/drive/copies/a.txt",
  "/drive/copies/b.md",
  "/drive/new/e.txt",
  "/drive/copies/docs/",
  "/drive/moved/",
  "/open/f.txt",
];

/** Puts texts, files, mounts, a job and unfinished uploads into a house, and keeps them there. */
export function furnish({ address, passwords }: Owner): Furnished {
  let token = "";
  let present = passwords[0];

  const call: Call = async (method, path, body): Promise<Answered> => {
    const response = await fetch(`${address}/api${path}`, {
      method,
      headers: { ...OWN_ADDRESS, authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    return { status: response.status, data: (answer.data ?? answer) as Answered["data"] };
  };

  const signIn = async (): Promise<string> => {
    const refusals: string[] = [];
    // A wrong guess counts, so the one that worked last comes first.
    for (const password of [...passwords].sort((one) => (one === present ? -1 : 1))) {
      const { status, data } = await call("POST", "/admin/login", { username: "admin", password });
      if (typeof data.token === "string") {
        present = password;
        return data.token;
      }
      refusals.push(`${status} ${data.message}`);
    }
    throw new Error(`The administrator cannot sign in any more: ${refusals.join(", ")}`);
  };

  const list = async (path: string): Promise<Record<string, string>[]> => {
    const { data } = await call("GET", path);
    return (Array.isArray(data) ? data : (data.files ?? [])) as Record<string, string>[];
  };

  /** The id of what is called so, made when it is not there. */
  const named = async (path: string, name: string, fields: Record<string, unknown>): Promise<string> => {
    // What has been renamed meanwhile is known by the key itself.
    const before = (await list(path)).find((one) => one.name === name || (one.key && one.key === fields.custom_key));
    if (before?.id) return before.id;
    const { status, data } = await call("POST", path, { name, ...fields });
    if (status !== 201) throw new Error(`POST ${path}: ${status} ${JSON.stringify(data)}`);
    return String(data.id);
  };

  /** The mount that the first start makes may have been moved, switched off or removed. */
  const restoreDrive = async (mount: Record<string, string>): Promise<void> => {
    const place = { ...mount, name: "drive", mount_path: "/drive", is_active: true };
    const mounts = await list("/admin/mounts");
    const before = mounts.find((one) => one.mount_path === "/drive") ?? mounts.find(({ name }) => name === "drive");
    const { status, data } = before
      ? await call("PUT", `/admin/mounts/${before.id}`, place)
      : await call("POST", "/admin/mounts", place);
    if (status >= 300) throw new Error(`The mount /drive: ${status} ${JSON.stringify(data)}`);
  };

  const restoreTree = async () => {
    const { status, data } = await call("GET", "/fs/list?path=/drive/");
    if (status !== 200) throw new Error(`GET /fs/list: ${status} ${JSON.stringify(data)}`);
    const there = (data.items as { path: string }[]).map(({ path }) => path);
    if (there.length > 0) await call("DELETE", "/fs/batch-remove", { paths: there });
    for (const path of [...FILES, ...BEHIND_SHARES])
      await call("POST", "/fs/update", { path, content: path === "/drive/empty" ? "" : `text of ${path}` });
  };

  const remove = async (path: string, slugs: readonly string[]): Promise<void> => {
    const ids = (await list(`${path}?limit=100`)).flatMap(({ id = "", slug = "" }) => (slugs.includes(slug) ? id : []));
    if (ids.length > 0) await call("DELETE", `${path}/batch-delete`, { ids });
  };

  /** Ids of texts and of files. */
  const restoreShares = async (): Promise<{ texts: string[]; files: string[] }> => {
    await remove("/pastes", TEXTS);
    await remove("/files", SHARED);
    const [plain, locked, limited] = TEXTS;
    const texts = [
      { slug: plain, content: "a text" },
      { slug: locked, content: "a locked text", password: "pass" },
      { slug: limited, content: "a limited text", maxViews: 1_000_000 },
    ];
    const files = [
      { slug: SHARED[0], path: "/drive/shared/a.txt" },
      { slug: SHARED[1], path: "/drive/shared/b.txt", password: "pass" },
    ];
    const made = await Promise.all([
      ...texts.map((one) => call("POST", "/paste", one)),
      ...files.map((one) => call("POST", "/fs/create-share", one)),
    ]);
    const ids = made.flatMap(({ data }) => text(data.id ?? data.fileId));
    return { texts: ids.slice(0, texts.length), files: ids.slice(texts.length) };
  };

  return {
    async restore() {
      if ((await call("GET", "/test/admin-token")).status !== 200) token = await signIn();
      const main = token;
      const ending = await signIn();
      const [first = {}] = await list("/s3-configs");
      const builtIn =
        (await list("/s3-configs")).find((one) => one.provider_type === "Built-in disk")?.id ?? text(first.id);
      const bucket = {
        provider_type: "MinIO",
        bucket_name: "none",
        endpoint_url: "http://127.0.0.1:9",
        access_key_id: "a",
        secret_access_key: "b",
      };
      const spareStorage = await named("/s3-configs", "spare", bucket);
      const mount = { storage_type: "S3", storage_config_id: builtIn };
      await restoreDrive(mount);
      await named("/admin/mounts", "open", { ...mount, mount_path: "/open", web_proxy: true });
      const spareMount = await named("/admin/mounts", "spare", { ...mount, mount_path: `/spare${Date.now()}` });
      const key = { permissions: 204_547, expires_at: null };
      await named("/admin/api-keys", "main", { ...key, custom_key: KEYS.key });
      await named("/admin/api-keys", "scoped", { ...key, custom_key: KEYS.scoped, basic_path: "/drive/docs" });
      const spareKey = await named("/admin/api-keys", "ending", { ...key, custom_key: KEYS.ending });
      await restoreTree();
      const shares = await restoreShares();
      const uploads = await beginUploads(call, address);
      const grant = text((await call("POST", "/fs/grant", { paths: ["/drive/a.txt"] })).data.grant);
      const job = text(
        (
          await call("POST", "/fs/jobs", {
            tasks: [{ kind: "copy", source: "/drive/a.txt", target: "/drive/job.txt" }],
          })
        ).data.id,
      );
      const sessions = (await list("/admin/sessions")) as unknown as { id: string; is_current: boolean }[];
      const others = sessions.flatMap(({ id, is_current }) => (is_current ? [] : id));
      const mounts = (await list("/admin/mounts")).flatMap(({ id = "" }) => id);
      const proof = (authorization: string) => [["authorization", authorization]] as const;
      const credentials: Record<Role, readonly (readonly [string, string])[]> = {
        anonymous: [],
        key: proof(`ApiKey ${KEYS.key}`),
        "scoped key": [["x-api-key", KEYS.scoped]],
        admin: proof(`Bearer ${main}`),
        "ending admin": proof(`Bearer ${ending}`),
      };
      // A signature is no matter of most requests.
      await call("PUT", "/admin/settings/group/1", { proxy_sign_all: "false", max_upload_size: "10240" });
      const paths = [...FILES, ...FOLDERS];
      return {
        host: new URL(address).host,
        credentials,
        passwords,
        signed: uploads.signed,
        words: {
          path: paths,
          paths: FILES,
          source: paths,
          target: TARGETS,
          sourcePath: paths,
          targetPath: [...TARGETS, text(uploads.tree.targetPath)],
          oldPath: paths,
          newPath: TARGETS,
          "/api/paste/:slug slug": TEXTS,
          "/api/raw/:slug slug": TEXTS,
          "/paste/:slug slug": TEXTS,
          "/api/public/files/:slug slug": SHARED,
          "/api/public/files/:slug/verify slug": SHARED,
          "/api/shares/:slug/events slug": [...SHARED, text(uploads.one.slug)],
          "/api/file-view/:slug slug": SHARED,
          "/api/file-download/:slug slug": SHARED,
          // A mount that goes while the whole tree is packed breaks the archive off, as it should.
          "/api/fs/zip path": FILES,
          "/api/p/:path path": ["open/shared/a.txt", "drive/a.txt", "open/docs/b.md"],
          "/api/fs/presign/commit targetPath": [text(uploads.tree.targetPath)],
          etag: uploads.etags,
          "/api/s3/presign path": ["shared"],
          "/api/upload path": ["shared"],
          "/api/s3/multipart/init path": ["shared"],
          password: ["pass", "another"],
          username: ["admin", "nobody"],
          "POST /api/admin/login password": [...passwords, "wrong password"],
          currentPassword: [...passwords, ...Array<string>(6).fill("none of these")],
          newPassword: passwords,
          newUsername: ["admin", ""],
          grant: [grant, "nothing"],
          cursor: ["a", "YQ"],
          s3_config_id: [builtIn],
          storage_config_id: [builtIn],
          mountId: mounts,
          targetMountId: mounts,
          mount_id: mounts,
          s3ConfigId: [builtIn],
          provider_type: ["MinIO", "AWS S3", "Other"],
          endpoint_url: ["http://127.0.0.1:9"],
          custom_host: ["http://127.0.0.1:9"],
          is_default: ["false"],
          mount_path: ["/spare", "/drive", "/a/b", "/team"],
          basic_path: ["/", "/drive", "/drive/docs"],
          origins: ["http://a.example", "*"],
          key: ["max_upload_size", "proxy_sign_all"],
          group: ["1", "2", "3", "99"],
          "(any name)": ["max_upload_size", "proxy_sign_all", "preview_text_types", "file_naming_strategy"],
          ids: [...shares.texts, ...shares.files],
          "/api/pastes/:id id": shares.texts,
          "/api/files/:id id": shares.files,
          "/api/admin/mounts/:id id": [spareMount],
          "GET /api/admin/mounts/:id id": mounts,
          "/api/user/mounts/:id id": mounts,
          "/api/admin/api-keys/:id id": [spareKey],
          "/api/s3-configs/:id id": [spareStorage],
          "GET /api/s3-configs/:id id": [builtIn, spareStorage],
          "PUT /api/s3-configs/:id/set-default id": [builtIn],
          "POST /api/s3-configs/:id/test id": [builtIn],
          "POST /api/s3-configs/:id/cors id": [builtIn],
          "/api/admin/sessions/:id id": others,
          "/api/fs/jobs/:id id": [job],
          "/api/fs/jobs/:id/events id": [job],
          "/api/s3/multipart/abort file_id": [text(uploads.parts.file_id), text(uploads.one.file_id)],
          "/api/s3/multipart/parts file_id": [text(uploads.parts.file_id)],
          "/api/s3/multipart/complete file_id": [text(uploads.parts.file_id)],
          file_id: [text(uploads.one.file_id)],
          upload_id: [text(uploads.parts.upload_id)],
          uploadId: [text(uploads.treeParts.uploadId)],
          "/api/fs/multipart/parts path": [text(uploads.treeParts.path)],
          "/api/fs/multipart/complete path": [text(uploads.treeParts.path)],
          "/api/fs/multipart/abort path": [text(uploads.treeParts.path)],
          fileId: [text(uploads.tree.fileId)],
          partNumber: ["1"],
          part_numbers: ["1"],
        },
      };
    },
  };
}
