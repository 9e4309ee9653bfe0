/** A web server that answers every list as an empty bucket does, and tells what it was asked. */
export function openPretendS3(answer: (request: Request) => Response | Promise<Response> = emptyBucket) {
  const hosts: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      hosts.push(request.headers.get("host") ?? "");
      return answer(request);
    },
  });
  return {
    port: server.port ?? 0,
    /** The Host header of each request so far. */
    hosts,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** The answer to ListObjectsV2 of a bucket without objects. */
export const emptyBucket = () =>
  new Response(
    `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><IsTruncated>false</IsTruncated><KeyCount>0</KeyCount></ListBucketResult>`,
    { headers: { "content-type": "application/xml" } },
  );

const ETAG = '"00000000000000000000000000000000"';

/** What CopyObject copies, behind the slash of its bucket; undefined for any other request. */
export const copySource = ({ headers }: Request): string | undefined => {
  const source = headers.get("x-amz-copy-source");
  return source === null ? undefined : decodeURIComponent(source).replace(/^\//, "");
};

/** The answer of CopyObject. */
export const copiedObject = (): Response =>
  new Response(
    `<CopyObjectResult><ETag>&quot;0&quot;</ETag><LastModified>2026-11-23T12:00:00.000Z</LastModified></CopyObjectResult>`,
    { headers: { "content-type": "application/xml" } },
  );

/**
 * A bucket in memory that takes one small object a request, from whoever asks; what `isAllowed` denies is refused, and waits while it
 * takes its time to say so.
 */
export function openSmallBucket(
  name: string,
  isAllowed: (request: Request) => boolean | Promise<boolean> = () => true,
) {
  const objects = new Map<string, Uint8Array<ArrayBuffer>>();

  const refuse = (status: number, code: string) =>
    new Response(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`, {
      status,
      headers: { "content-type": "application/xml" },
    });

  const answer = async (request: Request): Promise<Response> => {
    const [, bucket, ...names] = decodeURIComponent(new URL(request.url).pathname).split("/");
    const key = names.join("/");
    if (bucket !== name) return refuse(404, "NoSuchBucket");
    if (!(await isAllowed(request))) return refuse(403, "AccessDenied");
    if (key === "") return emptyBucket();
    const source = copySource(request);
    if (source !== undefined) {
      const copied = objects.get(source.slice(name.length + 1));
      if (copied) objects.set(key, copied);
      return copied ? copiedObject() : refuse(404, "NoSuchKey");
    }
    if (request.method === "PUT") {
      objects.set(key, await request.bytes());
      return new Response(null, { headers: { etag: ETAG } });
    }
    if (request.method === "DELETE") {
      objects.delete(key);
      return new Response(null, { status: 204 });
    }
    const body = objects.get(key);
    const headers = { etag: ETAG, "last-modified": "Mon, 23 Nov 2026 12:00:00 GMT" };
    return body ? new Response(body, { headers }) : refuse(404, "NoSuchKey");
  };

  let lost: "nothing" | "writes" | "all" = "nothing";
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      if (lost === "all") return refuse(500, "InternalError");
      const answered = await answer(request);
      return lost === "writes" && request.method === "PUT" ? refuse(500, "InternalError") : answered;
    },
  });
  server.unref();
  return {
    port: server.port ?? 0,
    /** Whether it does what it is asked to write and answers that it failed, or fails at all it is asked. */
    lose(what: "nothing" | "writes" | "all"): void {
      lost = what;
    },
    /** What it holds. */
    keys: () => [...objects.keys()],
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}
