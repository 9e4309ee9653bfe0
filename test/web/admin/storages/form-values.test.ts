import { describe, expect, test } from "bun:test";
import { BUILT_IN } from "#contract/providers";
import type { StorageConfig } from "#contract/storage";
import { bytesOf, capacityOf } from "../../../../web/features/admin/storages/form/capacity.ts";
import {
  emptyStorage,
  newStorage,
  type StorageValues,
  storageValues,
  withProvider,
  withRegion,
} from "../../../../web/features/admin/storages/form/form-values.ts";
import { storageProblems } from "../../../../web/features/admin/storages/form/problems.ts";
import { changedFields } from "../../../../web/ui/form/fields.ts";
import { builtIn, cloud } from "../../../support/page-servers/kept-storages.ts";

const GB = 1024 ** 3;
const choose = (values: StorageValues, provider: string): StorageValues => ({
  ...values,
  ...withProvider(values, provider),
});
const region = (values: StorageValues, text: string): StorageValues => ({ ...values, ...withRegion(values, text) });

describe("what a provider proposes", () => {
  test.each([
    ["Cloudflare R2", "auto", "https://<accountid>.r2.cloudflarestorage.com", false, 10],
    ["Backblaze B2", "", "https://s3.<region>.backblazeb2.com", false, 10],
    ["AWS S3", "", "https://s3.<region>.amazonaws.com", false, 5],
    ["Aliyun OSS", "", "https://oss-<region>.aliyuncs.com", false, 5],
    ["MinIO", "", "http://<host>:9000", true, 5],
    ["Other", "", "", true, 5],
  ] as const)("%s", (provider, inRegion, endpoint, pathStyle, gigabytes) => {
    const values = choose(choose(emptyStorage, "MinIO"), provider);
    expect(values).toMatchObject({ provider, region: inRegion, endpoint, pathStyle, unlimited: false });
    expect(bytesOf(values)).toBe(gigabytes * GB);
  });

  test("the built-in disk is unlimited, and going back brings the proposals back", () => {
    const disk = choose(emptyStorage, BUILT_IN);
    expect(bytesOf(disk)).toBeNull();
    expect(choose(disk, "Cloudflare R2")).toEqual(emptyStorage);
  });

  test("the endpoint follows the region until somebody writes another one", () => {
    const values = region(choose(emptyStorage, "AWS S3"), "eu-west-3");
    expect(values.endpoint).toBe("https://s3.eu-west-3.amazonaws.com");
    expect(region(values, "").endpoint).toBe("https://s3.<region>.amazonaws.com");
    const own = { ...values, endpoint: "https://s3.dualstack.eu-west-3.amazonaws.com" };
    expect(region(own, "us-east-1").endpoint).toBe(own.endpoint);
    expect(region(choose(emptyStorage, "Aliyun OSS"), "oss-cn-beijing").endpoint).toBe(
      "https://oss-cn-beijing.aliyuncs.com",
    );
  });

  test("what somebody has filled in stays when the provider changes", () => {
    const values = { ...region(choose(emptyStorage, "AWS S3"), "eu-west-3"), amount: "20", name: "Cloud" };
    const after = choose(values, "Backblaze B2");
    expect(after).toMatchObject({ name: "Cloud", amount: "20", region: "eu-west-3" });
    expect(after.endpoint).toBe("https://s3.eu-west-3.backblazeb2.com");
    const own = choose({ ...values, endpoint: "https://mine.example" }, "MinIO");
    expect(own.endpoint).toBe("https://mine.example");
  });
});

describe("a capacity", () => {
  test.each([
    [5 * GB, "5", "GB"],
    [1.5 * GB, "1.5", "GB"],
    [2048 * GB, "2", "TB"],
    [1000, "0.001", "MB"],
  ] as const)("of %p bytes reads %s %s", (bytes, amount, unit) => {
    expect(capacityOf(bytes)).toEqual({ unlimited: false, amount, unit });
  });

  test.each([
    ["1,5", 1.5 * GB],
    [" .5 ", 0.5 * GB],
    ["", undefined],
    ["0", undefined],
    ["-1", undefined],
    ["1e3", undefined],
    ["ten", undefined],
    ["99999999", undefined],
  ] as const)("written as %p", (amount, bytes) => {
    expect(bytesOf({ unlimited: false, amount, unit: "GB" })).toBe(bytes as number);
  });
});

describe("what is sent", () => {
  const values = { ...choose(emptyStorage, BUILT_IN), name: " More ", bucket: "more" };

  test("of a built-in disk has nothing of a connection", () => {
    expect(newStorage(values)).toEqual({
      name: "More",
      provider_type: BUILT_IN,
      bucket_name: "more",
      path_style: false,
      default_folder: "",
      is_public: false,
      is_default: false,
      total_storage_bytes: 0,
      signature_expires_in: 3600,
    });
  });

  const storageChange = (changed: StorageValues, storage: StorageConfig) =>
    changedFields(newStorage(storageValues(storage)), newStorage(changed));

  test("of a change is only what differs, and a capacity nobody touched keeps its bytes", () => {
    const odd = { ...cloud, limit_bytes: 5 * GB + 1 };
    const before = storageValues(odd);
    expect(storageChange(before, odd)).toEqual({});
    expect(storageChange({ ...before, name: "Sky", secret: "s3cret", customHost: "cdn.example" }, odd)).toEqual({
      name: "Sky",
      secret_access_key: "s3cret",
      custom_host: "cdn.example",
    });
    expect(storageChange({ ...before, unlimited: true }, odd)).toEqual({ total_storage_bytes: 0 });
    expect(storageChange({ ...before, region: "" }, odd)).toEqual({ region: "" });
    expect(storageChange({ ...storageValues(builtIn), folder: "new" }, builtIn)).toEqual({ default_folder: "new" });
  });
});

describe("what is wrong before anything is sent", () => {
  const right = storageValues(cloud);
  const problemsOf = (fields: Partial<StorageValues>, isNew = false) => storageProblems({ ...right, ...fields }, isNew);

  test("nothing, when all is well; a new storage needs its keys", () => {
    expect(problemsOf({})).toEqual({});
    expect(Object.keys(problemsOf({}, true))).toEqual(["accessKey", "secret"]);
    expect(problemsOf({ accessKey: "a", secret: "s" }, true)).toEqual({});
    expect(storageProblems(storageValues(builtIn), true)).toEqual({});
  });

  test.each([
    ["name", " "],
    ["bucket", ""],
    ["endpoint", ""],
    ["endpoint", "https://<accountid>.example"],
    ["endpoint", "ftp://example.com"],
    ["endpoint", "http://"],
    ["folder", "a/../b"],
    ["amount", "0"],
    ["customHost", "javascript:alert(1)"],
    ["customHost", "two words"],
    ["signature", "59"],
    ["signature", "604801"],
    ["signature", ""],
    ["signature", "1.5"],
  ] as const)("%s: %p", (field, text) => {
    expect(Object.keys(problemsOf({ [field]: text }))).toEqual([field]);
  });

  test.each([
    ["https://account.r2.cloudflarestorage.com/photos", true],
    ["minio.example.com:9000/photos/", true],
    ["https://photos.s3.eu-central-1.amazonaws.com", true],
    ["photos.oss-cn-hangzhou.aliyuncs.com", true],
    ["https://photos.example.com", false],
    ["https://example.com/photos/s3", false],
    ["https://example.com/photosets", false],
  ])("a new storage at %s names its bucket twice: %p", (endpoint, isTwice) => {
    const keys = { accessKey: "a", secret: "s", bucket: "photos" };
    const problem = isTwice ? { endpoint: "storage.problem.endpointBucket" as const } : {};
    expect(problemsOf({ ...keys, endpoint }, true)).toEqual(problem);
    // What is there already may have files below it.
    expect(problemsOf({ ...keys, endpoint })).toEqual({});
  });

  test.each([
    ["endpoint", "s3.example.com"],
    ["endpoint", "http://[::1]:9000/prefix"],
    ["customHost", "cdn.example.com/files"],
    ["signature", "604800"],
    ["folder", "/a//b/"],
  ] as const)("%s may be %p", (field, text) => {
    expect(problemsOf({ [field]: text })).toEqual({});
  });
});
