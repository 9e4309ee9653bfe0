import { expect, test } from "bun:test";
import { languages } from "#contract/languages";
import { storage } from "#contract/storage";
import type { Resolve } from "../../../src/lib/addresses.ts";
import type { Fetch } from "../../../src/lib/pinned-fetch.ts";
import type { en } from "../../../src/stores/doctor/words/en.ts";
import { ask } from "../../support/share-file.ts";
import { runDoctor } from "../../support/stores/run-doctor.ts";
import { openTestHouse } from "../../support/test-house.ts";

const elsewhere = {
  name: "Cloud",
  provider_type: "Other",
  endpoint_url: "https://s3.example.com",
  bucket_name: "b",
  access_key_id: "key",
  secret_access_key: "a word that opens a bucket",
};

/** What is said of an endpoint that nobody reaches. */
async function visit(endpoint: string, { origin, resolve }: { origin?: string; resolve?: Resolve } = {}) {
  await using house = await openTestHouse();
  // Whatever the name, nothing of a test leaves this machine.
  const nowhere: Fetch = (_, init) => fetch("http://127.0.0.1:1", init);
  const connection = { endpoint, bucket: "b", fetch: nowhere };
  const { data } = await ask(house, storage.create, { body: elsewhere });
  return await runDoctor(house, data.id, { connection, ...(origin && { origin }), ...(resolve && { resolve }) });
}

const LOOPBACK = "is this machine itself";
const PRIVATE = "is an address of a private network";
const LOCAL = "is a name that is valid in a local network only";
const PUBLIC = "is a public name or address";
const PLAIN = "browsers block http requests";

test.each([
  ["http://127.0.0.1:9000", LOOPBACK],
  ["http://127.9.9.9", LOOPBACK],
  ["http://localhost:9000", LOOPBACK],
  ["http://s3.localhost", LOOPBACK],
  ["http://[::1]:9000", LOOPBACK],
  ["http://0.0.0.0", LOOPBACK],
  ["https://10.1.2.3", PRIVATE],
  ["https://172.31.0.1", PRIVATE],
  ["https://192.168.1.1", PRIVATE],
  ["https://169.254.0.9", PRIVATE],
  ["https://100.64.0.1", PRIVATE],
  ["https://[fd00::1]", PRIVATE],
  ["https://[fe80::1]", PRIVATE],
  ["http://0x7f.1", LOOPBACK],
  ["https://minio:9000", LOCAL],
  ["https://nas.local", LOCAL],
  ["https://S3.Corp.Internal.", LOCAL],
  ["https://box.lan", LOCAL],
  ["https://172.32.0.1", PUBLIC],
  ["https://8.8.8.8", PUBLIC],
  ["https://[2001:4860:4860::8888]", PUBLIC],
  ["s3.eu-central-1.amazonaws.com", PUBLIC],
  ["https://localhost.example.com", PUBLIC],
  ["http://s3.example.com", PLAIN],
])("%s %s", async (endpoint, says) => {
  const { step, failed } = await visit(endpoint);
  expect(step("public")).toMatchObject({ success: true, skipped: false, message: expect.stringContaining(says) });
  expect(step("public").advice === null).toBe(says === PUBLIC);
  expect(failed).toEqual(["write"]);
});

test("a plain endpoint is right for a plain page", async () => {
  const { step } = await visit("http://s3.example.com", { origin: "http://share.example" });
  expect(step("public")).toMatchObject({ advice: null, message: expect.stringContaining(PUBLIC) });
});

const UNKNOWN = "could not resolve it";
const refusing: Resolve = async () => {
  throw new Error("ENOTFOUND");
};

test.each<[string, Resolve, string]>([
  ["private addresses", async () => ["10.1.2.3", "fd00::1"], "resolves to private addresses only (10.1.2.3, fd00::1)"],
  ["this machine", async () => ["127.0.1.1"], "resolves to private addresses only (127.0.1.1)"],
  ["many of them", async () => ["10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4"], "(10.0.0.1, 10.0.0.2, 10.0.0.3)"],
  ["one that is public too", async () => ["10.1.2.3", "8.8.8.8"], PUBLIC],
  ["no address", async () => [], UNKNOWN],
  ["what nobody knows", refusing, UNKNOWN],
  ["a resolver that never answers", () => new Promise(() => undefined), UNKNOWN],
])("a public name that leads to %s", async (_, resolve, says) => {
  const { step, failed } = await visit("https://s3.example.com", { resolve });
  expect(step("public")).toMatchObject({ success: true, message: expect.stringContaining(says) });
  expect(step("public").advice !== null).toBe(says.includes("10.0.0.1") || says.includes("private"));
  expect(failed).toEqual(["write"]);
});

test("an address in numbers is not looked up", async () => {
  const { step } = await visit("https://[2001:4860:4860::8888]", { resolve: refusing });
  expect(step("public").message).toContain(PUBLIC);
});

test.each([
  ["AccessDenied", 403, "once the storage grants access", null],
  ["NoSuchBucket", 404, "does not answer in either style", "Create the bucket"],
])(
  "a storage that says %s in the configured style alone has an endpoint that is right",
  async (code, status, says, advice) => {
    await using house = await openTestHouse();
    const answering: Fetch = (url, init) => {
      if (new URL(url).hostname !== "s3.example.com") return fetch("http://127.0.0.1:1", init);
      const body = `<Error><Code>${code}</Code><Message>No.</Message></Error>`;
      return Promise.resolve(new Response(body, { status, headers: { "content-type": "application/xml" } }));
    };
    const connection = { endpoint: "https://s3.example.com", bucket: "a-bucket", pathStyle: true, fetch: answering };
    const { data } = await ask(house, storage.create, { body: elsewhere });
    const { step } = await runDoctor(house, data.id, { connection });
    const expected = advice === null ? null : expect.stringContaining(advice);
    expect(step("path_style")).toMatchObject({ message: expect.stringContaining(says), advice: expected });
  },
);

test.each(Object.keys(languages))("names no field of the API to people, in %s", async (language) => {
  const words = (await import(`../../../src/stores/doctor/words/${language}.ts`)) as Record<string, typeof en>;
  expect(Object.values(words[language]?.sentences ?? {}).filter((sentence) => /[a-z]_[a-z]/.test(sentence))).toEqual(
    [],
  );
});
