import { PAGE_MARK } from "#contract/page-mark";
import { SHARE_TARGET, sharedPages } from "#contract/share-target";
import { sized, textAnswer } from "../../lib/counting.ts";
import type { RequestContext } from "../context.ts";
import type { Asset, Assets } from "./assets.ts";
import { createForms, type Form } from "./forms.ts";
import { policyOf } from "./policies.ts";
import { sharePages } from "./share-page-files.ts";
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

/** Runs before the app, and holds no paint up: the address of the API (empty is this origin) and that of the source. */
const runtimeConfig = ({ sourceUrl }: SiteOptions) =>
  `window.appConfig = ${JSON.stringify({ backendUrl: "", sourceUrl })};\n`;

/** What the site needs to know of a request. */
type Asked = Pick<RequestContext, "sent" | "path" | "query" | "pageHosts" | "pathTo" | "base" | "address">;

interface SiteOptions {
  /** Where the header's link to the source leads; none without it. */
  readonly sourceUrl?: string | undefined;
  /** That of the pages (siteAt). */
  readonly basePath?: string;
}

/** Serves the app: its files, its runtime configuration, and the same page for every deep link. */
export function createSite(
  assets: Assets,
  options: SiteOptions = {},
): (request: Request, asked: Asked, rooms: SharePageRooms) => Response | Promise<Response> {
  const page = assets.get("/index.html");
  if (!page) throw new Error("The site has no index.html.");
  const docs = assets.get("/docs.html");
  const config = runtimeConfig(options);
  const formOf = createForms();
  const sharePageOf = createSharePages(assets);

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
      return text("This address answers GET and HEAD only.", 405, { allow: "GET, HEAD, OPTIONS" });
    }
    // The base path without its slash is outside of the service worker's scope.
    if (path === "/" && sent !== pathTo("/")) return seeOther(pathTo(query.text === "" ? "/" : `/?${query.text}`));
    if (path === "/config.js") return script(config);
    if (docs && (path === "/docs" || path === "/docs/")) return send(docs);
    const share = "raw" in query.values ? sharePath.exec(path) : null;
    if (share)
      return seeOther(pathTo(share[1] === "paste" ? `/api/raw/${share[2]}` : `/api/file-download/${share[2]}?proxy=1`));
    const asset = path.startsWith(sharePages) ? undefined : assets.get(path);
    if (asset) return send(asset);
    if (isFile(path)) return text("There is no such file.", 404);
    const shared = sharePageOf(request, asked, rooms);
    return shared ? shared.then(({ asset, form }) => send(asset, form)) : send(page);
  };
}

/** The app shows pages below these, whatever their names end in: a file in the explorer has a page, too. */
const pages = /^\/(paste|file|s|in|mount-explorer|admin)(\/|$)/;
const fileEndings = /\.(js|mjs|css|json|map|png|svg|ico|webp|woff2?|webmanifest|txt|xml)$/;

/**
 * The page of a share, which without scripts can name no address but its own: with `?raw` it leads to the bytes. Those of a file come through
 * this server, because the policy above lets no form lead elsewhere.
 */
const sharePath = /^\/(paste|file)\/([^/]+)\/?$/;

/** Reports whether a path was meant as a file of the site, so that a missing one is not answered with the page. */
const isFile = (path: string) => path.startsWith("/assets/") || (!pages.test(path) && fileEndings.test(path));

/** The headers of a file of the site; `hosts` are those that its pages know the server by. */
const headersOf = (asset: Asset, hosts: readonly string[]): Headers =>
  new Headers({
    "content-type": asset.type,
    etag: asset.etag,
    vary: asset.path.startsWith(sharePages) ? "accept-encoding, accept-language" : "accept-encoding",
    "cache-control": cachingOf(asset),
    "content-disposition": "inline",
    "content-security-policy": policyOf(asset.path, hosts),
    ...(asset.type.startsWith("text/html") && pageHeaders),
    // A link is for whoever was given it, wherever its address comes to stand.
    ...(asset.path.startsWith(`${sharePages}link.`) && { "x-robots-tag": "noindex" }),
  });

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
