import { describe, expect, test } from "bun:test";
import { DEFAULT_STORAGE_BYTES } from "#contract/limits";
import { endpointIn, namesRegion, providerNames, providerOf } from "#contract/providers";
import { readSources } from "../../support/sources.ts";

describe("the providers", () => {
  test("one without a row is any S3 storage under its own name", () => {
    const { word, ...unknown } = providerOf("Wasabi");
    const { word: translated, ...other } = providerOf("Other");
    expect([word, translated]).toEqual([undefined, "other"]);
    expect(unknown).toEqual(other);
    expect(unknown).toMatchObject({
      endpoint: "",
      pathStyle: true,
      capacity: DEFAULT_STORAGE_BYTES,
      uploadHeaders: {},
    });
  });

  test.each([
    ["AWS S3", "eu-west-3", "https://s3.eu-west-3.amazonaws.com"],
    ["AWS S3", " ", "https://s3.<region>.amazonaws.com"],
    ["Aliyun OSS", "oss-cn-beijing", "https://oss-cn-beijing.aliyuncs.com"],
    ["Aliyun OSS", "cn-beijing", "https://oss-cn-beijing.aliyuncs.com"],
    ["MinIO", "eu", "http://<host>:9000"],
  ])("the endpoint of %s in %p", (provider, region, endpoint) => {
    expect(endpointIn(provider, region)).toBe(endpoint);
  });

  test("their regions stand in the endpoint of those that name them", () => {
    expect(providerNames.filter(namesRegion)).toEqual(["Backblaze B2", "AWS S3", "Aliyun OSS"]);
  });

  test("are named in their table only, but for the first choice of the form", async () => {
    const named = new RegExp(`"(?:${providerNames.filter((name) => name !== "Other").join("|")})"`);
    const code = await readSources("{src,web}/**/*.{ts,tsx}");
    const outside = code.filter(({ path }) => !/^src\/contract\/providers|^web\/i18n\/|\/migrations\//.test(path));
    expect(outside.filter(({ text }) => named.test(text)).map(({ path }) => path)).toEqual([
      "web/features/admin/storages/form/form-values.ts",
    ]);
  });
});
