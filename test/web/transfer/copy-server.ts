import { answer, refusal } from "../../support/page-servers/fake-server.ts";

/** Two storages and a server between them, which has the browser carry what is copied. */
export function copyServer(files: Readonly<Record<string, string>>) {
  const there = new Map<string, string>();
  const begun = new Map<string, string>();
  const lines: string[] = [];
  let instead: (line: string) => Response | Promise<Response> | undefined = () => undefined;
  let made = 0;

  const plan = ({ items }: { items: { sourcePath: string; targetPath: string }[] }) => {
    const [{ sourcePath = "", targetPath = "" } = {}] = items;
    const counts = { success: 0, skipped: 0, failed: 0 };
    const found = Object.keys(files).filter((path) => path === sourcePath || path.startsWith(`${sourcePath}/`));
    if (found.length === 0) return refusal("path.missing");
    const one = (path: string) => {
      made += 1;
      begun.set(`id-${made}`, path.replace(sourcePath, targetPath));
      const [size, contentType] = [files[path]?.length ?? 0, "text/plain"];
      const [downloadUrl, uploadUrl, relayUrl] = [
        `${elsewhere}/get${path.split("/").map(encodeURIComponent).join("/")}`,
        `${base}/put/id-${made}`,
        `${base}/put/id-${made}`,
      ];
      return { size, contentType, downloadUrl, uploadUrl, relayUrl, fileId: `id-${made}` };
    };
    const isDirectory = !files[sourcePath];
    const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);
    const below = (path: string) =>
      path
        .slice(sourcePath.length + 1)
        .split("/")
        .slice(0, -1)
        .join("/");
    const common = {
      crossStorage: true,
      isDirectory,
      status: "success",
      sourceMount: "a",
      targetMount: "b",
      message: "",
    };
    const ends = { source: sourcePath, target: targetPath, originalTarget: targetPath, renamed: false };
    const crossing = isDirectory
      ? {
          items: found.map((path) => ({
            ...one(path),
            sourceKey: path.slice(1),
            targetKey: "",
            fileName: nameOf(path),
            relativeDir: below(path),
          })),
        }
      : one(sourcePath);
    const crossStorageResults = [{ ...common, ...ends, ...crossing }];
    return answer({
      data: {
        crossStorage: true,
        requiresClientSideCopy: true,
        standardCopyResults: counts,
        failed: [],
        details: [],
        crossStorageResults,
      },
    });
  };

  const arrived = new Map<string, string>();
  const commit = ({ files: [file] }: { files: { targetPath: string }[] }) => {
    const [id] = [...begun].findLast(([, path]) => path === file?.targetPath) ?? [];
    const body = arrived.get(id ?? "");
    if (!file || id === undefined || body === undefined) return refusal("upload.missing");
    there.set(file.targetPath, body);
    begun.delete(id);
    return answer({ data: { success: [{ targetPath: file.targetPath, fileName: "" }], failed: [] } });
  };

  const serve = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    const path = decodeURIComponent(url.pathname);
    const line = `${request.method} ${path}`;
    lines.push(line);
    const given = await instead(line);
    if (given) return given;
    if (line === "GET /api/health") return Response.json({ status: "ok", timestamp: "" });
    if (path.startsWith("/get/")) return new Response(files[path.slice(4)]);
    if (line === "GET /api/fs/download") return new Response(files[url.searchParams.get("path") ?? ""]);
    if (path.startsWith("/put/")) {
      const id = path.slice(5);
      if (!begun.has(id)) return new Response(null, { status: 404 });
      arrived.set(id, await request.text());
      return new Response(null, { headers: { etag: '"e"' } });
    }
    const body = JSON.parse((await request.text()) || "{}");
    if (line === "POST /api/fs/batch-copy") return plan(body);
    if (line === "POST /api/fs/batch-copy-commit") return commit(body);
    if (line === "POST /api/fs/grant") return answer({ data: { grant: "g", expires_at: "" } });
    if (line === "POST /api/fs/presign/abort") begun.delete(body.fileId);
    return line === "POST /api/fs/presign/abort" ? answer() : refusal("route.missing");
  };
  const [server, storage] = [0, 0].map((port) => Bun.serve({ port, hostname: "127.0.0.1", fetch: serve }));
  const base = `http://127.0.0.1:${server?.port}`;
  const elsewhere = `http://127.0.0.1:${storage?.port}`;

  return {
    base,
    elsewhere,
    /** What has been written, by path. */
    there,
    /** Uploads that are neither committed nor given up. */
    open: () => [...begun.values()],
    lines,
    /** Answers in place of the server, where anything comes back. */
    answerBy(act: typeof instead) {
      instead = act;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([server?.stop(true), storage?.stop(true)]);
    },
  };
}
