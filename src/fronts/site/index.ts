import { PAGE_MARK } from "#contract/page-mark";
import { isBelowPageRoot } from "#contract/page-paths";
import { SHARE_TARGET, sharedPages } from "#contract/share-target";
import { sized, textAnswer } from "../../lib/counting.ts";
import type { Settings } from "../../settings/settings.ts";
import type { RequestContext } from "../context.ts";
import { languageOf } from "../language.ts";
import type { Asset, Assets } from "./assets.ts";
import { type Brand, branded, createBrandOf, isOurs, LOGO_PATH, OUR_NAME } from "./branding.ts";
import { createForms, type Form } from "./forms.ts";
import { openPageAt, openPages } from "./open-pages.ts";
import { policyOf } from "./policies.ts";
import { isUnlisted, sharePages } from "./share-page-files.ts";
import { createSharePages, type SharePageRooms } from "./share-pages.ts";

/** What a page needs no more than its guests do, and that no window of another origin holds on to it. */
const pageHeaders = {
  [PAGE_MARK]: "app",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": [
    "accelerometer",
    "camera",
    "display-capture",
    "geolocation",
    "gyroscope",
    "hid",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "serial",
    "usb",
  ]
    .map((feature) => `${feature}=()`)
    .join(", "),
};

/**
 * Runs before the app, and holds no paint up: the address of the API (empty is this origin), that of the source, what the site is called, and
 * how many hours shares last.
 */
function runtimeConfig(
  { sourceUrl, basePath = "" }: SiteOptions,
  { name, logo }: Brand,
  { settings }: SiteRooms,
): string {
  const sharing = {
    defaultHours: settings.get("share_expiry_default"),
    longestHours: settings.get("share_expiry_longest"),
    visitorHours: settings.get("visitor_expiry_longest"),
  };
  const site = { name, logo: logo && basePath + logo };
  return `window.appConfig = ${JSON.stringify({ backendUrl: "", sourceUrl, site, sharing })};\n`;
}

interface SiteRooms extends SharePageRooms {
  readonly settings: Pick<Settings, "get">;
}

/** What the site needs to know of a request. */
type Asked = Pick<RequestContext, "sent" | "path" | "query" | "pageHosts" | "pathTo" | "base" | "address">;

interface SiteOptions {
  /** Where the header's link to the source leads; none without it. */
  readonly sourceUrl?: string | undefined;
  /** That of the pages (siteAt). */
  readonly basePath?: string;
}

type Site<Rooms> = (request: Request, asked: Asked, rooms: Rooms) => Response | Promise<Response>;

/** Serves the app as the administrator has named and coloured it at this moment. */
export function createSite(assets: Assets, options: SiteOptions = {}): Site<SiteRooms> {
  const { basePath = "" } = options;
  const brandOf = createBrandOf();
  const ours = createPages(assets, OUR_NAME);
  let other: { readonly key: string; readonly pages: Promise<Site<SharePageRooms>> } | undefined;

  const pagesOf = (brand: Brand): Promise<Site<SharePageRooms>> => {
    const key = JSON.stringify(brand);
    if (other?.key === key) return other.pages;
    const pages = branded(assets, brand, basePath).then((site) => createPages(site, brand.name));
    other = { key, pages };
    return pages;
  };

  return (request, asked, rooms) => {
    const brand = brandOf(rooms.settings);
    const isReading = request.method === "GET" || request.method === "HEAD";
    if (isReading && asked.path === "/config.js") return script(runtimeConfig(options, brand, rooms));
    if (isReading && asked.path === LOGO_PATH) return logo(rooms);
    return isOurs(brand) ? ours(request, asked, rooms) : pagesOf(brand).then((pages) => pages(request, asked, rooms));
  };
}

/** The logo of this site. Its address has the digest of its bytes, so it is kept for good. */
function logo({ settings }: SiteRooms): Response {
  const bytes = Buffer.from(settings.get("site_logo"), "base64");
  if (bytes.length === 0) return text("This site has no logo of its own.", 404);
  const headers = {
    "content-type": "image/webp",
    "content-length": String(bytes.length),
    "cache-control": "public, max-age=31536000, immutable",
    "content-security-policy": "sandbox; default-src 'none'",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "content-disposition": "inline",
  };
  return sized(new Response(bytes, { headers }), bytes.length);
}

/** Serves files, and the same page for every deep link, of a site with this name. */
function createPages(assets: Assets, name: string): Site<SharePageRooms> {
  const page = assets.get("/index.html");
  if (!page) throw new Error("The site has no index.html.");
  const pageAt = (path: string, headers: Headers): Asset =>
    assets.get(openPageAt(path, languageOf(headers)) ?? "") ?? page;
  const docs = assets.get("/docs.html");
  const formOf = createForms();
  const sharePageOf = createSharePages(assets, name);

  return (request, asked, rooms) => {
    const { sent, path, query, pageHosts, pathTo } = asked;
    const send = (asset: Asset, made?: Form) => {
      const headers = headersOf(
        asset,
        pageHosts().map((host) => host + pathTo("")),
      );
      if (request.headers.get("if-none-match")?.includes(asset.etag))
        return new Response(null, { status: 304, headers });
      if (made) return answerWith(made, headers);
      const form = formOf(asset, request.headers.get("accept-encoding") ?? "");
      return form instanceof Promise ? form.then((made) => answerWith(made, headers)) : answerWith(form, headers);
    };
    // The browser has lost the service worker that takes this in: the page says so, where this answer would mean nothing to anybody.
    if (path === SHARE_TARGET && request.method === "POST") return seeOther(pathTo(sharedPages.lost));
    if (request.method !== "GET" && request.method !== "HEAD") {
      // Who drops a file by a name that is that of a page is told how.
      const how = request.method === "PUT" ? " To share a file: curl -F file=@FILE and the address of this site." : "";
      return text(`This address answers GET and HEAD only.${how}`, 405, { allow: "GET, HEAD, OPTIONS" });
    }
    // The base path without its slash is outside of the service worker's scope.
    if (path === "/" && sent !== pathTo("/")) return seeOther(pathTo(query.text === "" ? "/" : `/?${query.text}`));
    if (docs && (path === "/docs" || path === "/docs/")) return send(docs);
    const share = "raw" in query.values ? sharePath.exec(path) : null;
    if (share)
      return seeOther(pathTo(share[1] === "paste" ? `/api/raw/${share[2]}` : `/api/file-download/${share[2]}?proxy=1`));
    const asset = isPerLanguage(path) ? undefined : assets.get(path);
    if (asset) return send(asset);
    if (isFile(path)) return text("There is no such file.", 404);
    const shared = sharePageOf(request, asked, rooms);
    return shared ? shared.then(({ asset, form }) => send(asset, form)) : send(pageAt(path, request.headers));
  };
}

const fileEndings = /\.(js|mjs|css|json|map|png|svg|ico|webp|woff2?|webmanifest|txt|xml)$/;

/**
 * The page of a share, which without scripts can name no address but its own: with `?raw` it leads to the bytes. Those of a file come through
 * this server, because the policy above lets no form lead elsewhere.
 */
const sharePath = /^\/(paste|file)\/([^/]+)\/?$/;

/**
 * Reports whether a path was meant as a file of the site, so that a missing one is not answered with the page. Programs that look for facts
 * about a server (RFC 8615) would take it for them.
 */
const isFile = (path: string) =>
  path.startsWith("/assets/") || path.startsWith("/.well-known/") || (!isBelowPageRoot(path) && fileEndings.test(path));

/** The headers of a file of the site; `hosts` are those that its pages know the server by. */
const headersOf = (asset: Asset, hosts: readonly string[]): Headers =>
  new Headers({
    "content-type": asset.type,
    etag: asset.etag,
    vary: isPerLanguage(asset.path) ? "accept-encoding, accept-language" : "accept-encoding",
    "cache-control": cachingOf(asset),
    "content-disposition": "inline",
    "content-security-policy": policyOf(asset.path, hosts),
    ...(asset.type.startsWith("text/html") && pageHeaders),
    // A link is for whoever was given it, wherever its address comes to stand.
    ...(isUnlisted(asset.path) && { "x-robots-tag": "noindex" }),
  });

/** Whether a file is a page that there is once for each language. */
const isPerLanguage = (path: string): boolean => path.startsWith(sharePages) || path.startsWith(openPages);

/** Pages are asked for anew each time. Those of shares may bring what somebody wrote: no cache of others keeps it. */
function cachingOf({ path, immutable }: Asset): string {
  if (path.startsWith(sharePages)) return "private, no-cache";
  return immutable ? "public, max-age=31536000, immutable" : "no-cache";
}

function answerWith({ bytes, encoding }: Form, headers: Headers): Response {
  if (encoding) headers.set("content-encoding", encoding);
  return sized(new Response(bytes, { headers }), bytes.size);
}

const seeOther = (location: string) =>
  new Response(null, { status: 303, headers: { location, "cache-control": "no-store" } });

const script = (code: string) =>
  textAnswer(code, { headers: { "content-type": "text/javascript; charset=utf-8", "cache-control": "no-cache" } });

const text = (sentence: string, status: number, headers: Record<string, string> = {}) =>
  textAnswer(`${sentence}\n`, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", ...headers },
  });
