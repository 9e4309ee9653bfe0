/** A web server that answers every list as an empty bucket does, and tells what it was asked. */
export function openPretendS3(answer: (request: Request) => Response = emptyBucket) {
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
