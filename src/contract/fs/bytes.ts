import { endpoint } from "../endpoint.ts";
import { done, pathField, queryNumber, querySwitch } from "../fields.ts";
import {
  LARGE_FORM_BYTES,
  LARGE_JSON_BYTES,
  MAX_OFFERED_THUMB,
  MAX_SIGNATURE_SECONDS,
  MAX_ZIP_PATHS,
  sizeText,
  thumbWidths,
} from "../limits.ts";
import * as z from "../schemas.ts";
import { view } from "./fs.ts";

/** The bytes of the tree, and the addresses that they have. */

export const fsBytes = {
  download: endpoint({
    ...view,
    links: "view",
    grants: "file",
    method: "GET",
    path: "/fs/download",
    summary: "A file through this server, whole or in ranges; by credential or by the grant that /fs/get answers",
    query: z.object({ path: pathField, grant: z.optional(z.string()), inline: querySwitch }),
  }),
  thumb: endpoint({
    ...view,
    links: "view",
    grants: "file",
    method: "GET",
    path: "/fs/thumb",
    summary:
      "A picture (JPEG, PNG, WebP, GIF) made smaller, as WebP, under the same rights and grants as the file; `v` is its ETag, and what then fits it is kept by a browser without asking again",
    query: z.object({
      path: pathField,
      w: z._default(z.enum(thumbWidths), "320"),
      v: z.optional(z.string().check(z.maxLength(200))),
      grant: z.optional(z.string()),
    }),
  }),
  offerThumb: endpoint({
    access: "mount_upload",
    visitors: true,
    creates: true,
    method: "PUT",
    path: "/fs/thumb",
    summary: `Offer a thumbnail of a file of which the server makes none, such as a film, a PDF or HEIC: the body is a JPEG or WebP of at most ${sizeText(MAX_OFFERED_THUMB)}, \`v\` the ETag of the file that it shows`,
    query: z.object({
      path: pathField,
      w: z._default(z.enum(thumbWidths), "320"),
      v: z.string().check(z.maxLength(200)),
    }),
    raw: true,
    response: done,
  }),
  zip: endpoint({
    ...view,
    links: "download",
    grants: "archive",
    method: "GET",
    path: "/fs/zip",
    summary:
      "Files and folders as one zip archive while it is made; `path` as often as wanted; by credential or a grant of /fs/grant",
    query: z.object({
      path: z.union([pathField, z.array(pathField)]),
      grant: z.optional(z.string()),
      name: z.optional(z.string().check(z.maxLength(255))),
    }),
  }),
  zipByForm: endpoint({
    ...view,
    links: "download",
    grants: "archive",
    method: "POST",
    creates: false,
    path: "/fs/zip",
    summary:
      "The same for long lists: a form that a browser submits, so that the archive goes to its disk while it is made; above 64 KiB the grant stands in the query",
    query: z.object({ grant: z.optional(z.string().check(z.maxLength(1000))) }),
    encoding: "urlencoded",
    bodyLimit: LARGE_FORM_BYTES,
    body: z.object({
      path: z.union([pathField, z.array(pathField).check(z.maxLength(MAX_ZIP_PATHS))]),
      grant: z.optional(z.string().check(z.maxLength(1000))),
      name: z.optional(z.string().check(z.maxLength(255))),
    }),
  }),
  grant: endpoint({
    ...view,
    links: "download",
    method: "POST",
    creates: false,
    path: "/fs/grant",
    summary:
      "A text that stands in for the credential when exactly these paths are downloaded or zipped, for six hours and as long as the caller may; of an administrator who has signed in, until that session ends",
    bodyLimit: LARGE_JSON_BYTES,
    body: z.object({ paths: z.array(pathField).check(z.minLength(1), z.maxLength(MAX_ZIP_PATHS)) }),
    response: z.object({ data: z.object({ grant: z.string(), expires_at: z.string() }) }),
  }),
  fileLink: endpoint({
    ...view,
    links: "view",
    method: "GET",
    path: "/fs/file-link",
    summary: "An address of a file that needs no credential for a while",
    query: z.object({
      path: pathField,
      /** Seconds; the storage's signature_expires_in when it is not given. */
      expires_in: z.optional(
        z.pipe(
          z.transform((value: unknown) => (value === "null" || value === "" ? undefined : value)),
          z.optional(queryNumber(1, MAX_SIGNATURE_SECONDS)),
        ),
      ),
      force_download: querySwitch,
    }),
    response: z.object({
      data: z.object({
        success: z.boolean(),
        presignedUrl: z.string(),
        name: z.string(),
        expiresIn: z.int(),
        expiresAt: z.string(),
        forceDownload: z.boolean(),
      }),
    }),
  }),
  proxy: endpoint({
    method: "GET",
    path: "/p/:path",
    access: "anyone",
    reply: "file",
    summary: "A file of a mount that has public addresses (web_proxy), signed where the settings or the mount say so",
    params: z.object({ path: z.string() }),
    query: z.object({ sign: z.optional(z.string()), ts: z.optional(z.string()), download: querySwitch }),
  }),
  proxyHead: endpoint({
    method: "HEAD",
    path: "/p/:path",
    access: "anyone",
    reply: "file",
    summary: "The headers of such a file",
    params: z.object({ path: z.string() }),
    query: z.object({ sign: z.optional(z.string()), ts: z.optional(z.string()), download: querySwitch }),
  }),
};
