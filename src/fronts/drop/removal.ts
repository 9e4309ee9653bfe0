/**
 * Addresses of removal: whoever has dropped something can take it back. Looking at one never deletes: programs that open addresses by
 * themselves (previews of chats, scanners of mail) would. A page with a button does, or `curl -X DELETE`.
 */

import { createHash } from "node:crypto";
import { Failure } from "#contract/failures";
import { type Language, languages } from "#contract/languages";
import type { House } from "../../house.ts";
import { textAnswer } from "../../lib/counting.ts";
import type { Grants } from "../../shares/grants.ts";
import { decodedSegment, type RequestContext } from "../context.ts";
import { languageOf } from "../language.ts";
import { type Admits, withoutVisitors } from "./admits.ts";
import { type Page, wordsOf } from "./words.ts";

type Kind = "paste" | "file";

interface Removed {
  readonly kind: Kind;
  readonly id: string;
}

const removalPath = /^\/delete\/(paste|file)\/([0-9a-f-]{36})\/([\w-]{43})$/;

/** The address at which a share is deleted. */
export const removalAddress = (grants: Grants, { kind, id }: Removed, { base }: Pick<RequestContext, "base">): string =>
  `${base()}/delete/${kind}/${id}/${grants.makeRemoval({ kind, id })}`;

/** The page of a share, which its owner deletes there. */
const sharePath = /^\/(paste|file|s)\/([^/]+)$/;

/** Whether a request is for an address of removal, or is a DELETE at that of a share. */
export const isRemoval = ({ path }: Pick<RequestContext, "path">, { method }: Request): boolean =>
  removalPath.test(path) || (method === "DELETE" && sharePath.test(path));

const style =
  ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1rem}button{font:inherit;padding:.6rem 1.2rem;border-radius:.5rem;border:1px solid;cursor:pointer}";
const styleDigest = createHash("sha256").update(style).digest("base64");

const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${styleDigest}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  "x-robots-tag": "noindex",
  "referrer-policy": "no-referrer",
};

/** A page without scripts; none of its texts is anybody's. */
function page(language: Language, { title, text, button }: Page): Response {
  const form = button ? `<form method="post"><button>${button}</button></form>` : "";
  const { tag, direction } = languages[language];
  return textAnswer(
    `<!doctype html><html lang="${tag}" dir="${direction}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${style}</style><h1>${title}</h1><p>${text}</p>${form}</html>`,
    { headers: pageHeaders },
  );
}

const isPage = ({ headers }: Request): boolean => /\btext\/html\b/i.test(headers.get("accept") ?? "");

const line = (text: string): Response =>
  textAnswer(`${text}\n`, { headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" } });

/** Answers addresses of removal: GET asks, DELETE and the form of the page delete. 401, 403; 404 share.missing; 405 method.notAllowed. */
export function createRemoval({ shares }: Pick<House, "shares">, anybody: Admits) {
  const { grants, files, pastes } = shares;
  const admits = withoutVisitors(anybody);

  const remove = async ({ kind, id }: Removed): Promise<void> =>
    await (kind === "file" ? files.discard(id) : pastes.discard(id));

  /** By whoever has the share, with a key. */
  const removeOwn = async (request: Request, context: RequestContext): Promise<void> => {
    const [, kind, written = ""] = sharePath.exec(context.path) ?? [];
    const slug = decodedSegment(written);
    const caller = await admits(request, context, kind === "paste" ? "text" : "file_share");
    // A link may have the slug of a file that is not sealed.
    if (kind === "s" && !(await files.isSealed(slug))) throw new Failure("share.missing");
    await (kind === "paste" ? pastes : files).removeAt(caller, slug);
  };

  return async (request: Request, context: RequestContext): Promise<Response> => {
    const { path } = context;
    if (!removalPath.test(path)) {
      await removeOwn(request, context);
      return line(wordsOf(languageOf(request.headers)).done.title);
    }
    const [, kind, id = "", grant = ""] = removalPath.exec(path) ?? [];
    const share: Removed = { kind: kind === "file" ? "file" : "paste", id };
    if (!grants.isRemoval(share, grant)) throw new Failure("share.missing");
    const language = languageOf(request.headers);
    const words = wordsOf(language);
    const { method } = request;
    if (method === "GET" || method === "HEAD")
      return isPage(request)
        ? page(language, words.ask)
        : line(`${words.how} curl -X DELETE ${context.base()}${context.path}`);
    if (method !== "DELETE" && method !== "POST") throw new Failure("method.notAllowed");
    await remove(share);
    return isPage(request) ? page(language, words.done) : line(words.done.title);
  };
}
