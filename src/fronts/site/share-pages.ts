import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { Failure } from "#contract/failures";
import type { Language } from "#contract/languages";
import { MAX_SLUG_CHARACTERS, thumbSize } from "#contract/limits";
import type { House } from "../../house.ts";
import { Lru } from "../../lib/cache.ts";
import { type Log, unforeseen } from "../../lib/log.ts";
import { codings } from "../../lib/packing.ts";
import { createSingleFlight } from "../../lib/turns.ts";
import type { PublicFacts } from "../../shares/public-facts.ts";
import type { RequestContext } from "../context.ts";
import { languageOf } from "../language.ts";
import type { Asset, Assets } from "./assets.ts";
import type { Form } from "./forms.ts";
import { type Ending, endingOf, joinedGzip } from "./gzip-ending.ts";
import { headOf, silentHead, silentTitle, type Told } from "./head.ts";
import { THUMB_WIDTH, valuesOfFile } from "./served-files.ts";
import { createServedTexts, type ServedText } from "./served-texts.ts";
import { sealedPage, sharePagePath } from "./share-page-files.ts";
import { summaryOfFile, summaryOfText } from "./summary.ts";
import { filled } from "./template.ts";

/** Bytes of pages that are kept in memory. */
const KEPT = 8 * 1024 * 1024;
/** How long a page waits for what it would tell, in milliseconds: it opens without it, too. */
const PATIENCE = 2000;

/** What the page of a share needs to know of a request. */
type Asked = Pick<RequestContext, "path" | "base" | "address">;

export interface SharePageRooms {
  readonly shares: Pick<House["shares"], "publicFacts" | "sealedAt">;
  readonly log: Log;
}

/** The page of a share as it is sent. */
interface SharePage {
  readonly asset: Asset;
  /** Made for this client; as the asset is kept without one. */
  readonly form?: Form;
}

const unpack = promisify(brotliDecompress);

/** The address of a share; what is below one is an address of none. */
const sharePath = /^\/(paste|file)\/(?:([^/]+)\/?$|.*)/;
/** The address of a link, and of a folder that it leads to: nothing is told of any of them. Pages take capitals for small letters. */
const linkPath = /^\/(s|in)\//i;
/** The address of a link itself, which may be that of a sealed file. */
const sealedPath = /^\/s\/([^/]+)\/?$/i;

/**
 * Makes the pages of shares. What is public of one stands in its head, and a text of which nothing is spent in the page itself. All other
 * shares have one page, byte for byte, as have addresses without one.
 */
export function createSharePages(assets: Assets, site: string) {
  const make = createPublicPages(assets, site);

  /** The page of a link, or of the sealed file that has its address. */
  const linkPageOf = async (
    asset: Asset,
    { path, address }: Asked,
    { shares, log }: SharePageRooms,
  ): Promise<SharePage> => {
    const slug = decoded(sealedPath.exec(path)?.[1] ?? "");
    try {
      const isSealed = slug === undefined ? false : await inTime(shares.sealedAt(slug, address));
      // Where nobody knows in time, the page may open something sealed as well.
      return { asset: isSealed === false ? asset : sealedPage(asset) };
    } catch (error) {
      // The page is what says that something is wrong.
      if (!(error instanceof Failure)) log.warn("page of a link without its kind", unforeseen(error));
      return { asset: sealedPage(asset) };
    }
  };

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
      return asset && linkPageOf(asset, asked, rooms);
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

/** A page around the tags of its head. */
interface PageAround {
  readonly before: string;
  readonly after: Ending;
  /** Of `after`. */
  readonly digest: string;
  readonly text: ServedText | undefined;
}

/**
 * Makes pages of shares of which something is told, each once for all who ask alike until its share changes. Their heads alone name this
 * server, whose name anybody may choose with whom no address was agreed (PUBLIC_URL): those are made for each answer.
 */
function createPublicPages(assets: Assets, site: string) {
  const plain = createPlain(assets);
  const texts = createServedTexts();
  const pages = new Lru<string, PageAround>(KEPT, ({ after }) => after.plain.length + after.deflated.length);
  const once = createSingleFlight<PageAround>();

  const make = async (key: string, facts: PublicFacts, { kind, slug, language }: Found): Promise<PageAround> => {
    const text = facts.kind === "paste" ? await texts(facts, language) : undefined;
    const values = facts.kind === "paste" ? text?.values : valuesOfFile(facts, slug, language);
    const bringing = facts.kind === "paste" ? "text" : "details";
    const page = await plain(sharePagePath(values ? bringing : kind, language));
    const [before = "", end = ""] = page.split(silentHead(kind, language, site));
    const after = await endingOf(values ? filled(end, values) : end);
    const around = { before, after, digest: digestOf(after.plain), text };
    pages.set(key, around);
    return around;
  };

  return async (facts: PublicFacts, request: Request, making: Making): Promise<Required<SharePage>> => {
    const { slug, language, silent } = making;
    const key = JSON.stringify([facts, slug, language]);
    const { before, after, digest, text } = pages.get(key) ?? (await once(key, () => make(key, facts, making)));
    const beginning = Buffer.from(before + headOf(told(facts, text, making), language, site));
    const asset = { ...silent, etag: `"${digestOf(`${digest} ${beginning}`)}"` };
    const isPacked = codings(request.headers.get("accept-encoding") ?? "").includes("gzip");
    const form: Form = isPacked
      ? { bytes: joinedGzip(beginning, after), encoding: "gzip" }
      : { bytes: new Blob([beginning, after.plain]) };
    return { asset, form };
  };
}

const digestOf = (content: string | Buffer): string =>
  createHash("sha256").update(content).digest("base64url").slice(0, 22);

/** What the head of a share tells. */
function told(facts: PublicFacts, text: ServedText | undefined, { base, slug, language }: Making): Told {
  const url = `${base}/${facts.kind}/${encodeURIComponent(slug)}`;
  if (facts.kind === "paste") {
    const summary = text ? text.summary : summaryOfText(facts, facts.preview);
    return { kind: "article", url, ...(summary ?? { title: silentTitle(facts.kind, language) }) };
  }
  const address = `${base}/api/file-thumb/${encodeURIComponent(slug)}?w=${THUMB_WIDTH}`;
  const picture = facts.hasThumbnail
    ? { address, size: facts.picture && thumbSize(facts.picture, THUMB_WIDTH) }
    : undefined;
  return { kind: "website", url, ...summaryOfFile(facts), picture };
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
