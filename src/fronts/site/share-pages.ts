import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants, gzip } from "node:zlib";
import type { Language } from "#contract/languages";
import { MAX_SLUG_CHARACTERS } from "#contract/limits";
import type { House } from "../../house.ts";
import { Lru } from "../../lib/cache.ts";
import { type Log, unforeseen } from "../../lib/log.ts";
import type { PublicFacts } from "../../shares/public-facts.ts";
import type { RequestContext } from "../context.ts";
import { languageOf } from "../language.ts";
import type { Asset, Assets } from "./assets.ts";
import { codings, type Form } from "./forms.ts";
import { headOf, silentHead, silentTitle, type Told } from "./head.ts";
import { createServedTexts, type ServedText } from "./served-texts.ts";
import { sharePagePath } from "./share-page-files.ts";
import { summaryOfFile, summaryOfText } from "./summary.ts";
import { filled } from "./template.ts";

/** Bytes of pages that are kept in memory. */
const KEPT = 8 * 1024 * 1024;
/** How long a page waits for what it would tell, in milliseconds: it opens without it, too. */
const PATIENCE = 2000;

/** What the page of a share needs to know of a request. */
type Asked = Pick<RequestContext, "path" | "base" | "address">;

export interface SharePageRooms {
  readonly shares: Pick<House["shares"], "publicFacts">;
  readonly log: Log;
}

/** The page of a share as it is sent. */
interface SharePage {
  readonly asset: Asset;
  /** Made for this client; as the asset is kept without one. */
  readonly form?: Form;
}

const unpack = promisify(brotliDecompress);
const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)];
const packed = {
  br: (bytes: Buffer<ArrayBuffer>) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes: Buffer<ArrayBuffer>) => zip(bytes),
};

/** The address of a share; what is below one is an address of none. */
const sharePath = /^\/(paste|file)\/(?:([^/]+)\/?$|.*)/;
/** The address of a link, and of a folder that it leads to: nothing is told of any of them. */
const linkPath = /^\/s\//;

/**
 * Makes the pages of shares. What is public of one stands in its head, and a text of which nothing is spent in the page itself. All other
 * shares have one page, byte for byte, as have addresses without one.
 */
export function createSharePages(assets: Assets) {
  const make = createPublicPages(assets);

  /** The page of a share of which something may be told. */
  const pageOf = async (
    request: Request,
    { asked, ...found }: Found & { readonly asked: Asked },
    { shares, log }: SharePageRooms,
  ): Promise<SharePage> => {
    try {
      const facts = await inTime(shares.publicFacts(found.kind, found.slug, asked.address));
      return facts ? await make(facts, request, { ...found, base: asked.base() }) : { asset: found.silent };
    } catch (error) {
      // The page is what says that something is wrong.
      log.warn("page of a share without its facts", unforeseen(error));
      return { asset: found.silent };
    }
  };

  /** Undefined for an address that is no share's, and where there are no pages of shares. */
  return (request: Request, asked: Asked, rooms: SharePageRooms): Promise<SharePage> | undefined => {
    const language = languageOf(request.headers);
    if (linkPath.test(asked.path)) {
      const asset = assets.get(sharePagePath("link", language));
      return asset && Promise.resolve({ asset });
    }
    const [, first, written = ""] = sharePath.exec(asked.path) ?? [];
    if (first === undefined) return undefined;
    const kind = first === "file" ? "file" : "paste";
    const silent = assets.get(sharePagePath(kind, language));
    if (!silent) return undefined;
    const slug = decoded(written);
    if (slug === undefined) return Promise.resolve({ asset: silent });
    return pageOf(request, { asked, kind, slug, silent, language }, rooms);
  };
}

/** An address that may be that of a share. */
interface Found {
  readonly kind: "paste" | "file";
  readonly slug: string;
  /** The page that tells nothing. */
  readonly silent: Asset;
  readonly language: Language;
}

interface Making extends Found {
  /** The address of this server. */
  readonly base: string;
}

/** Makes pages of shares of which something is told, each once for all who ask alike until its share changes. */
function createPublicPages(assets: Assets) {
  const plain = createPlain(assets);
  const texts = createServedTexts();
  const pages = new Lru<string, Required<SharePage>>(KEPT, ({ form }) => form.bytes.size);
  /** Those that are made now, once for all who ask meanwhile. */
  const running = new Map<string, Promise<Required<SharePage>>>();

  const compose = async (facts: PublicFacts, making: Making): Promise<Buffer<ArrayBuffer>> => {
    const { kind, language } = making;
    const text = facts.kind === "paste" ? await texts(facts, language) : undefined;
    const page = await plain(sharePagePath(text?.values ? "text" : kind, language));
    const head = headOf(told(facts, text, making), language);
    const [before = "", after = ""] = page.split(silentHead(kind, language));
    return Buffer.from(before + head + (text?.values ? filled(after, text.values) : after));
  };

  const make = async (
    key: string,
    facts: PublicFacts,
    coding: Coding,
    making: Making,
  ): Promise<Required<SharePage>> => {
    const html = await compose(facts, making);
    const etag = `"${createHash("sha256").update(html).digest("base64url").slice(0, 22)}"`;
    const form = coding
      ? { bytes: new Blob([Buffer.from(await packed[coding](html))]), encoding: coding }
      : { bytes: new Blob([html]) };
    const page = { asset: { ...making.silent, etag }, form };
    pages.set(key, page);
    return page;
  };

  return async (facts: PublicFacts, request: Request, making: Making): Promise<Required<SharePage>> => {
    const coding = codingFor(request);
    const { slug, language, base } = making;
    const key = JSON.stringify([facts, slug, language, base, coding]);
    const kept = pages.get(key) ?? running.get(key);
    if (kept) return await kept;
    const made = make(key, facts, coding, making).finally(() => running.delete(key));
    running.set(key, made);
    return await made;
  };
}

type Coding = "br" | "gzip" | undefined;

/** How a page is compressed for a client. */
function codingFor({ headers }: Request): Coding {
  const taken = codings(headers.get("accept-encoding") ?? "");
  return (["br", "gzip"] as const).find((coding) => taken.includes(coding));
}

/** What the head of a share tells. */
function told(facts: PublicFacts, text: ServedText | undefined, { base, slug, language }: Making): Told {
  const url = `${base}/${facts.kind}/${encodeURIComponent(slug)}`;
  if (facts.kind === "paste") {
    const summary = text ? text.summary : summaryOfText(facts, facts.preview);
    return { kind: "article", url, ...(summary ?? { title: silentTitle(facts.kind, language) }) };
  }
  const picture = `${base}/api/file-thumb/${encodeURIComponent(slug)}?w=1280`;
  return { kind: "website", url, ...summaryOfFile(facts), ...(facts.hasThumbnail && { picture }) };
}

/** The slug of a path; undefined for what no share can have. */
function decoded(written: string): string | undefined {
  try {
    const slug = decodeURIComponent(written);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is refused.
    return slug === "" || slug.length > MAX_SLUG_CHARACTERS || /[\u0000-\u001f\u007f]/.test(slug) ? undefined : slug;
  } catch {
    return undefined;
  }
}

/** Undefined when the answer takes too long. */
async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, PATIENCE, undefined);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads pages of the build as texts, each once. */
function createPlain(assets: Assets): (path: string) => Promise<string> {
  const read = new Map<string, Promise<string>>();
  const plain = async (path: string): Promise<string> => {
    const asset = assets.get(path);
    if (!asset) throw new Error(`The site has no ${path}.`);
    const stored = Buffer.from(await asset.stored().arrayBuffer());
    return (asset.encoding ? await unpack(stored) : stored).toString();
  };
  return (path) => {
    const kept = read.get(path) ?? plain(path);
    read.set(path, kept);
    kept.catch(() => read.delete(path));
    return kept;
  };
}
