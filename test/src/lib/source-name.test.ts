import { describe, expect, test } from "bun:test";
import { isFilename } from "../../../src/contract/paths.ts";
import { nameOfSource } from "../../../src/lib/source-name.ts";

function nameOf(url: string, headers: Readonly<Record<string, string>> = {}): string {
  return nameOfSource({ headers: new Headers(headers), url: new URL(url, "https://files.test"), isName: isFilename });
}

const latin1 = (text: string) => Buffer.from(text).toString("latin1");
const said = (disposition: string) => nameOf("/path.bin", { "content-disposition": disposition });

describe("Content-Disposition", () => {
  test.each([
    ['attachment; filename="plain.txt"', "plain.txt"],
    ["attachment; filename=plain.txt", "plain.txt"],
    ["attachment;FILENAME = plain.txt ; size=3", "plain.txt"],
    ['inline; filename="a \\"quoted\\" name.txt"', 'a "quoted" name.txt'],
    ['attachment; filename="a; b.txt"', "a; b.txt"],
    ["attachment; filename*=UTF-8''%e4%b8%ad%e6%96%87.txt", "中文.txt"],
    ["attachment; filename=\"x.txt\"; filename*=utf-8'en'na%20me.txt", "na me.txt"],
    ["attachment; filename*=ISO-8859-1''%a3.txt", "£.txt"],
    ["attachment; filename=\"x.txt\"; filename*=koi8-r''%a3.txt", "x.txt"],
    ["attachment; filename=\"x.txt\"; filename*=UTF-8''%ff%fe", "%ff%fe"],
    [latin1('attachment; filename="中文 🎉.txt"'), "中文 🎉.txt"],
    ["attachment; filename=%E4%B8%AD.txt", "中.txt"],
    ['attachment; filename="100%.txt"', "100%.txt"],
    ['attachment; filename="../../etc/passwd"', "passwd"],
    ['attachment; filename="C:\\\\Users\\\\a.txt"', "a.txt"],
    ["attachment; filename*=UTF-8''..%2F..%2Fb.txt", "b.txt"],
    ["attachment; filename*=UTF-8''a%0d%0aset-cookie.txt", "aset-cookie.txt"],
    ["attachment; filename*=UTF-8''a%E2%80%AEtxt.exe", "atxt.exe"],
    ['attachment; filename=".."', "path.bin"],
    ['attachment; filename=""', "path.bin"],
    [`attachment; filename="${"x".repeat(256)}"`, "path.bin"],
    ["attachment", "path.bin"],
    ['attachment; notfilename="x.txt"', "path.bin"],
  ])("%s", (header, name) => expect(said(header)).toBe(name));
});

describe("the URL's path", () => {
  test.each([
    ["/a/b/photo.jpg?size=2#x", {}, "photo.jpg"],
    ["/%E4%B8%AD%20%E6%96%87.pdf", {}, "中 文.pdf"],
    ["/a%2F..%2Fb.txt", {}, "b.txt"],
    ["/%00.txt", {}, ".txt"],
    ["/100%.txt", {}, "100%.txt"],
    ["/", {}, "download"],
    ["/folder/", { "content-type": "text/html; charset=utf-8" }, "download.html"],
    ["/image", { "content-type": "image/png" }, "image.png"],
    ["/image.php", { "content-type": "image/png" }, "image.png"],
    ["/v1.2", { "content-type": "application/zip" }, "v1.2"],
    ["/Dockerfile", { "content-type": "text/plain" }, "Dockerfile.txt"],
    ["/x", { "content-type": "<script>" }, "x"],
  ] as const)("%s with %j", (path, headers, name) => expect(nameOf(path, headers)).toBe(name));
});
