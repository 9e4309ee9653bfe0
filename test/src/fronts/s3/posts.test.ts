import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import type { ApiKey } from "../../../../src/access/keys.ts";
import { BOUNDARY, END, FORM_TYPE, filePart } from "../../../support/clients/form-body.ts";
import { s3Calls, textsOf } from "../../../support/clients/s3.ts";
import { type PostInit, postForm } from "../../../support/clients/s3-post.ts";
import { makeKey } from "../../../support/make-key.ts";
import { openTestHouse } from "../../../support/test-house.ts";

/** Forms with which browsers send files (PostObject), as the functional suite of ceph/s3-tests asks for them. */

async function open() {
  const house = await openTestHouse();
  const key = await makeKey(house);
  return {
    house,
    key,
    s3: s3Calls(house, key),
    post: (init?: PostInit, by: Pick<ApiKey, "s3_access_key_id" | "key"> = key) => postForm(house, by, init),
    [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
  };
}

const tagOf = (text: string) => `"${createHash("md5").update(text).digest("hex")}"`;
const NAME = "$".concat("{filename}");

test.each([4, 2] as const)("a form whose policy is signed by version %p stores its file", async (version) => {
  await using here = await open();
  const fields = {
    key: `docs/${NAME}`,
    "Content-Type": "text/x-own",
    "x-amz-meta-colour": "blau 蓝",
    "Cache-Control": "max-age=1",
  };
  const answer = await here.post({ fields, version, filename: "C:\\folder\\é.txt", file: "hello" });
  expect([answer.status, answer.text]).toEqual([204, ""]);
  expect(answer.headers.get("etag")).toBe(tagOf("hello"));
  expect(answer.headers.get("location")).toEndWith("/drive/docs%2F%C3%A9.txt");
  const { text, headers } = await here.s3.send("GET", "/drive/docs/é.txt");
  expect([text, headers.get("content-type"), headers.get("cache-control"), headers.get("etag")]).toEqual([
    "hello",
    "text/x-own",
    "max-age=1",
    tagOf("hello"),
  ]);
  expect(Buffer.from(headers.get("x-amz-meta-colour") ?? "", "latin1").toString()).toBe("blau 蓝");
});

test("a form says how it is answered, and a redirect goes to the web alone", async () => {
  await using here = await open();
  const post = (fields: Record<string, string>) => here.post({ fields: { key: "a b", ...fields } });
  for (const [said, status] of [
    ["200", 200],
    ["201", 201],
    ["204", 204],
    ["404", 204],
    ["", 204],
  ] as const)
    expect([said, (await post({ success_action_status: said })).status]).toEqual([said, status]);
  const made = await post({ success_action_status: "201" });
  expect([...textsOf(made, "Bucket"), ...textsOf(made, "Key"), ...textsOf(made, "ETag")]).toEqual([
    "drive",
    "a b",
    tagOf("bytes"),
  ]);
  const there = await post({ success_action_redirect: "https://example.com/done?x=1" });
  const asked = { x: "1", bucket: "drive", key: "a b", etag: tagOf("bytes") };
  expect(there.status).toBe(303);
  expect(there.headers.get("location")).toBe(`https://example.com/done?${new URLSearchParams(asked)}`);
  for (const redirect of ["javascript:alert(1)", "data:text/html,x", "//example.com", "/path", "no address"])
    expect([redirect, (await post({ success_action_redirect: redirect })).status]).toEqual([redirect, 204]);
});

const soon = "2099-01-01T00:00:00Z";
const over = "2001-01-01T00:00:00Z";
const all = (...conditions: unknown[]) => ({
  expiration: soon,
  conditions: [{ bucket: "drive" }, ["starts-with", "$key", ""], ["starts-with", "$x-amz-", ""], ...conditions],
});
const sign = ["x-amz-algorithm", "x-amz-credential", "x-amz-date"].map((name) => ["starts-with", `$${name}`, ""]);
const policyOf = (...conditions: unknown[]) => all(...sign, ...conditions);
const meta = { key: "a.txt", "x-amz-meta-foo": "barclamp" };

const rows: readonly [name: string, outcome: string, init: PostInit][] = [
  ["a policy for any key", "204", { policy: policyOf() }],
  [
    "names of conditions in other letters",
    "204",
    { policy: { expiration: soon, conditions: [{ bUcKeT: "drive" }, ["StArTs-WiTh", "$KeY", ""], ...sign] } },
  ],
  [
    "a dollar sign that stands for itself",
    "204",
    { fields: { key: "\\$foo.txt".slice(1) }, policy: policyOf(["starts-with", "$key", "\\$foo"]) },
  ],
  [
    "a key that begins as it must",
    "204",
    { fields: { key: "ours/a.txt" }, policy: policyOf(["starts-with", "$key", "ours/"]) },
  ],
  ...[" ours/a.txt", "\u00a0ours/a.txt", "\ufeffours/a.txt"].map((key): (typeof rows)[number] => [
    "a key that begins with what looks like nothing",
    "403 AccessDenied",
    { fields: { key }, policy: policyOf(["starts-with", "$key", "ours/"]) },
  ]),
  [
    "types that each begin as they must",
    "204",
    {
      fields: { key: "a.txt", "content-type": "image/png, image/gif" },
      policy: policyOf(["starts-with", "$content-type", "image/"]),
    },
  ],
  ["a field that is ignored", "204", { policy: policyOf(), altered: { "x-ignore-foo": "bar" } }],
  [
    "metadata that begins as it must",
    "204",
    { fields: meta, policy: policyOf(["starts-with", "$x-amz-meta-foo", "bar"]) },
  ],
  ["metadata that is another", "403 AccessDenied", { fields: meta, policy: policyOf(["eq", "$x-amz-meta-foo", ""]) }],
  [
    "metadata that the policy wants and nobody sent",
    "403 AccessDenied",
    { policy: policyOf(["starts-with", "$x-amz-meta-foo", "bar"]) },
  ],
  [
    "a field that the policy does not name",
    "403 AccessDenied",
    { policy: policyOf(), altered: { "x-amz-meta-a": "b" } },
  ],
  [
    "a redirect that the policy does not name",
    "403 AccessDenied",
    { policy: policyOf(), altered: { success_action_redirect: "https://example.com" } },
  ],
  ["another bucket", "403 AccessDenied", { policy: policyOf({ bucket: "other" }) }],
  [
    "a policy that names no bucket",
    "403 AccessDenied",
    { policy: { expiration: soon, conditions: [["starts-with", "$key", ""], ...sign] } },
  ],
  ["another key", "403 AccessDenied", { policy: policyOf({ key: "b.txt" }) }],
  ["a policy that is over", "403 AccessDenied", { policy: { ...policyOf(), expiration: over } }],
  ["an expiration that is no time", "400 InvalidPolicyDocument", { policy: { ...policyOf(), expiration: "tomorrow" } }],
  ["no expiration", "400 InvalidPolicyDocument", { policy: { conditions: [] } }],
  ["no conditions", "400 InvalidPolicyDocument", { policy: { expiration: soon } }],
  ["conditions in other letters", "400 InvalidPolicyDocument", { policy: { expiration: soon, CONDITIONS: [] } }],
  ["an empty condition", "400 InvalidPolicyDocument", { policy: policyOf({}) }],
  ["a condition of another kind", "400 InvalidPolicyDocument", { policy: policyOf(["ends-with", "$key", "t"]) }],
  ["a policy that is no JSON", "400 InvalidPolicyDocument", { policy: "{" }],
  ["a size in the range", "204", { policy: policyOf(["content-length-range", 5, 5]) }],
  ["a size above the range", "400 EntityTooLarge", { policy: policyOf(["content-length-range", 0, 4]) }],
  ["a size below the range", "400 EntityTooSmall", { policy: policyOf(["content-length-range", 6, 1000]) }],
  ["half a range", "400 InvalidPolicyDocument", { policy: policyOf(["content-length-range", 0]) }],
  ["a range that is none", "400 InvalidPolicyDocument", { policy: policyOf(["content-length-range", -1, 0]) }],
  ["no key", "400 InvalidArgument", { fields: {}, policy: policyOf() }],
  ["a key that leads outside", "400 InvalidArgument", { fields: { key: "../x" }, policy: policyOf() }],
  ["a file name that leads outside", "204", { fields: { key: NAME }, filename: "../../x", policy: policyOf() }],
  ["no signature", "400 InvalidArgument", { altered: { "x-amz-signature": null, signature: null } }],
  ["a wrong signature", "403 SignatureDoesNotMatch", { altered: { "x-amz-signature": "0".repeat(64) } }],
  ["another policy than was signed", "403 SignatureDoesNotMatch", { altered: { policy: "e30=" } }],
  ["nothing that is signed", "403 AccessDenied", { altered: { policy: null, "x-amz-signature": null } }],
  ["an unknown key", "403 InvalidAccessKeyId", { version: 2, altered: { AWSAccessKeyId: "AKIDUNKNOWN77" } }],
  ["a bucket that is not there", "404 NoSuchBucket", { bucket: "none" }],
  ["an ACL that is open", "400 AccessControlListNotSupported", { fields: { key: "a.txt", acl: "public-read" } }],
  ["an MD5 of other bytes", "400 BadDigest", { fields: { key: "a.txt", "Content-MD5": "1B2M2Y8AsgTpgAmY7PhCfg==" } }],
  [
    "fields that are too long",
    "400 MaxPostPreDataLengthExceeded",
    {
      fields: { key: "a.txt", "x-ignore-a": "x".repeat(12_000), "x-ignore-b": "x".repeat(12_000) },
      policy: policyOf(),
    },
  ],
];

test.each(rows)("a form with %s is answered %s", async (_name, outcome, init) => {
  await using here = await open();
  const { status, code } = await here.post(init);
  expect(code === undefined ? String(status) : `${status} ${code}`).toBe(outcome);
  expect((await here.s3.list("drive")).length).toBe(outcome === "204" ? 1 : 0);
});

test("a form has the rights of the key that signed it, at its end too, and none that nobody signed is for S3", async () => {
  await using here = await open();
  const reader = await makeKey(here.house, { permissions: ["mount_view"] });
  expect((await here.post({}, reader)).code).toBe("AccessDenied");
  const inside = await makeKey(here.house, { basic_path: "/drive/own" });
  expect((await here.post({}, inside)).code).toBe("AccessDenied");
  expect((await here.post({ fields: { key: "own/a.txt" } }, inside)).status).toBe(204);
  const form = new FormData();
  form.append("file", new File(["x"], "x"));
  for (const path of ["/share-target", "/drive/deep"])
    expect(await (await here.house.request(path, { method: "POST", body: form })).text()).toBe("site");
});

test("a form may give its object tags", async () => {
  await using here = await open();
  const tagging = "<Tagging><TagSet><Tag><Key>a</Key><Value>b c</Value></Tag></TagSet></Tagging>";
  expect((await here.post({ fields: { key: "a.txt", tagging } })).status).toBe(204);
  expect(textsOf(await here.s3.send("GET", "/drive/a.txt", { query: { tagging: "" } }), "Value")).toEqual(["b c"]);
  expect((await here.post({ fields: { key: "a.txt", tagging: "a=b" } })).code).toBe("MalformedXML");
});

test("a form that breaks off leaves nothing", async () => {
  await using here = await open();
  const answer = await here.post({ file: "x".repeat(1000), cut: -300 });
  expect(answer.code).toBe("MalformedPOSTRequest");
  expect(await here.s3.list("drive")).toEqual([]);
});

test("of a form that nobody has signed yet no more is taken than its fields may have", async () => {
  await using here = await open();
  const part = (index: number) =>
    Buffer.from(`--b\r\nContent-Disposition: form-data; name="f${index}"\r\n\r\n${"x".repeat(10_000)}\r\n`);
  let taken = 0;
  // It never ends.
  const body = new ReadableStream<Uint8Array>(
    { pull: (controller) => (taken < 45 ? controller.enqueue(part(taken++)) : new Promise(() => undefined)) },
    { highWaterMark: 0 },
  );
  const headers = { "content-type": "multipart/form-data; boundary=b" };
  const answer = await here.house.request("/drive", { method: "POST", headers, body });
  expect(await answer.text()).toContain("<Code>MaxPostPreDataLengthExceeded</Code>");
  expect(taken).toBeLessThan(10);
});

test("a field without a name is refused, and not the end of the server", async () => {
  await using here = await open();
  const nameless = `--${BOUNDARY}\r\nContent-Disposition: form-data\r\n\r\nx\r\n`;
  for (const body of [nameless + filePart("bytes") + END, filePart("bytes") + nameless + END, nameless + END]) {
    const init = { method: "POST", body, headers: { "content-type": FORM_TYPE } };
    expect((await here.house.request("/drive", init)).status).toBe(400);
  }
  expect((await here.post({ fields: { key: "after" } })).status).toBe(204);
});
