import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { keys } from "#contract/keys";
import { ALL_PERMISSIONS } from "#contract/permissions";
import { createSigner } from "../../../src/lib/signatures/sigv4.ts";
import { openClient } from "../../support/clients/upload-client.ts";
import { startServer, type TestServer } from "../../support/server.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** Writes by S3 over the same few objects, and uploads that are completed, by a server that is killed again and again. */

const ROUNDS = Number(process.env.TEST_KILLS ?? 5);
const WRITERS = 5;
const UPLOADS = 10;

/** A write to a key. Its times are turns of one counter; `told` is undefined when it was not answered. */
interface Write {
  readonly id: string;
  readonly begun: number;
  told?: number;
}

const md5 = (text: string) => createHash("md5").update(text).digest("hex");
const contentOf = (id: string) => `${id} `.repeat(1 + ((id.length * 97) % 900));

/** S3 calls to a server with an API key. */
function callsTo({ address }: TestServer, credentials: { accessKey: string; secret: string }) {
  const signer = createSigner();
  return (method: string, path: string, body = "", headers: Record<string, string> = {}) => {
    const payloadHash = createHash("sha256").update(body).digest("hex");
    const options = { credentials, region: "us-east-1", now: Date.now(), headers, payloadHash };
    const signed = signer.sign(method, `${address}${path}`, options);
    return fetch(signed.url, { method, headers: signed.headers, ...(body !== "" && { body }) });
  };
}

type Calls = ReturnType<typeof callsTo>;

/** An upload that is ready to be completed, by any server. */
interface Ready {
  readonly path: string;
  readonly content: string;
  readonly complete: (call: Calls) => Promise<Response>;
}

/** Begins an upload of one part and sends that. */
async function readyUpload(call: Calls, path: string, content: string): Promise<Ready> {
  const begun = await (await call("POST", `${path}?uploads=`)).text();
  const id = /<UploadId>(.*?)<\/UploadId>/.exec(begun)?.[1] ?? "";
  const part = await call("PUT", `${path}?partNumber=1&uploadId=${id}`, content);
  const parts = `<Part><PartNumber>1</PartNumber><ETag>${part.headers.get("etag")}</ETag></Part>`;
  const xml = `<CompleteMultipartUpload>${parts}</CompleteMultipartUpload>`;
  return { path, content, complete: (then) => then("POST", `${path}?uploadId=${id}`, xml) };
}

/** Of several writes to one key the one that is there was told last, or was under way when that was told. */
function mayStand(writes: readonly Write[], there: Write): boolean {
  const { told } = there;
  return told === undefined || !writes.some((other) => other.told !== undefined && other.begun > told);
}

/** One life of a server. */
interface Run {
  readonly call: Calls;
  /** Kills it when what this returns was called so often. */
  readonly killAfter: (answers: number) => () => void;
  /** Ends it, or waits for its end, and answers its log. */
  readonly end: () => Promise<string>;
}

/** Starts servers one after the other on one folder, for the holder of one key. */
async function openRuns(dataDir: string) {
  let credentials: { accessKey: string; secret: string } | undefined;
  let round = 0;
  return async (): Promise<Run> => {
    const environment = { DB_SYNCHRONOUS: round++ % 2 === 0 ? "NORMAL" : "FULL" };
    const server = await startServer({ dataDir, environment });
    if (!credentials) {
      const client = await openClient(server);
      const { data } = await client.call(keys.create, { name: "writer", permissions: ALL_PERMISSIONS } as never);
      const made = data as unknown as { s3_access_key_id: string; key: string };
      credentials = { accessKey: made.s3_access_key_id, secret: made.key };
    }
    return {
      call: callsTo(server, credentials),
      killAfter(answers) {
        let left = answers;
        return () => {
          left -= 1;
          if (left === 0) process.kill(server.pid, "SIGKILL");
        };
      },
      async end() {
        await server.stop();
        return server.stdout();
      },
    };
  };
}

/** Writes to keys that several write at once, and what stands of them. */
function createWrites() {
  const written = new Map<string, Write[]>();
  let turn = 0;
  return {
    /** Writes until the server is gone, and tells of each answer. */
    async write(call: Calls, { name, answered }: { readonly name: string; readonly answered: () => void }) {
      for (let number = 0; ; number++) {
        const path = number % 3 === 0 ? `/drive/own-${name}` : `/drive/same-${number % 2}`;
        const one: Write = { id: `${name}n${number}`, begun: turn++ };
        const writes = written.get(path) ?? [];
        written.set(path, writes);
        writes.push(one);
        const answer = await call("PUT", path, contentOf(one.id), { "x-amz-meta-id": one.id });
        await answer.text();
        if (answer.status !== 200) throw new Error(`PUT: ${answer.status}`);
        one.told = turn++;
        answered();
      }
    },

    async verify(call: Calls): Promise<void> {
      for (const [path, writes] of written) {
        const answer = await call("GET", path);
        const content = await answer.text();
        const there = writes.find(({ id }) => contentOf(id) === content);
        if (!there) {
          const any = writes.some(({ told }) => told !== undefined);
          expect({ path, status: answer.status, any }).toEqual({ path, status: 404, any: false });
          continue;
        }
        expect({ path, id: there.id, may: mayStand(writes, there) }).toEqual({ path, id: there.id, may: true });
        expect(answer.headers.get("etag")).toBe(`"${md5(content)}"`);
        expect(answer.headers.get("x-amz-meta-id")).toBe(there.id);
        // What was not answered is decided from here on.
        written.set(path, [{ ...there, told: turn++ }]);
      }
    },
  };
}

/** Completes uploads again, of which some were completed, and some nearly; what is there then is whole. */
async function completeAgain(call: Calls, uploads: readonly Ready[]): Promise<void> {
  for (const { path, content, complete } of uploads) {
    const answer = await complete(call);
    const { status } = answer;
    expect({ path, status, text: await answer.text() }).toMatchObject({ path, status: 200 });
    const read = await call("GET", path);
    expect({ path, same: (await read.text()) === content }).toEqual({ path, same: true });
  }
  expect(await (await call("GET", "/drive?uploads=")).text()).not.toContain("<Upload>");
}

test("kill -9 during writes by S3: of each key stands what was told last, and each Complete may be asked for again", async () => {
  using folder = temporaryFolder();
  const start = await openRuns(folder.path);
  const writes = createWrites();
  let uploads: Ready[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { call, killAfter, end } = await start();
    await writes.verify(call);
    await completeAgain(call, uploads);
    const names = Array.from({ length: UPLOADS }, (_, number) => `r${round}u${number}`);
    uploads = await Promise.all(
      names.map((name, number) => readyUpload(call, `/drive/big-${number}`, contentOf(name))),
    );
    const answered = killAfter(5 + ((round * 37) % 83));
    const writers = Array.from({ length: WRITERS }, (_, writer) =>
      writes.write(call, { name: `r${round}w${writer}`, answered }),
    );
    const completing = uploads.map(async ({ complete }) => {
      await (await complete(call)).text();
      answered();
    });
    const ends = await Promise.allSettled([...writers, ...completing]);
    expect(ends.slice(0, WRITERS).map(({ status }) => status)).toEqual(writers.map(() => "rejected"));
    await end();
  }
  const last = await start();
  await writes.verify(last.call);
  await completeAgain(last.call, uploads);
  expect(await last.end()).not.toContain('"level":"error"');
});
