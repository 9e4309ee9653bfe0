import { createHash } from "node:crypto";
import { accentStyle } from "#contract/accent";
import type { Settings } from "../../settings/settings.ts";
import type { Asset, Assets } from "./assets.ts";
import { rewritten } from "./base-path.ts";

/** What the administrator calls this site, and how it looks. */
export interface Brand {
  readonly name: string;
  /** As #rrggbb; empty is ours. */
  readonly accent: string;
  /** The address of the logo below the base path; undefined for ours. */
  readonly logo: string | undefined;
}

export const OUR_NAME = "Satchel";
/** Where the logo is, with the digest of its bytes behind it. */
export const LOGO_PATH = "/site-logo.webp";

/** Reads the present brand; the logo is looked at only when it has changed. */
export function createBrandOf(): (settings: Pick<Settings, "get">) => Brand {
  let known = { logo: "", address: undefined as string | undefined };
  return (settings) => {
    const logo = settings.get("site_logo");
    if (logo !== known.logo) known = { logo, address: logo === "" ? undefined : `${LOGO_PATH}?v=${digestOf(logo)}` };
    return { name: settings.get("site_name") || OUR_NAME, accent: settings.get("site_accent"), logo: known.address };
  };
}

export const isOurs = ({ name, accent, logo }: Brand): boolean =>
  name === OUR_NAME && accent === "" && logo === undefined;

const digestOf = (text: string): string => createHash("sha256").update(text).digest("base64url").slice(0, 16);

/** The mark in the bar of a page without scripts (web/app/first-paint.tsx), and the name behind it. */
const MARK = /<svg viewBox="0 0 32 32"[^>]*>.*?<\/svg>Satchel/s;
const ICON = /<link rel="icon"[^>]*>/;

/**
 * The pages of the app and the manifest as this brand has them. It takes a few tens of milliseconds, once for each change. The style of the
 * accent stands in the page itself, so that nothing changes its colour behind the first paint.
 */
export async function branded(assets: Assets, brand: Brand, basePath: string): Promise<Assets> {
  const renamed = async ([path, asset]: [string, Asset]): Promise<[string, Asset]> => {
    if (path === "/docs.html") return [path, asset];
    if (asset.type.startsWith("text/html"))
      return [path, await rewritten(asset, (page) => pageOf(page, brand, basePath))];
    if (asset.type !== "application/manifest+json") return [path, asset];
    return [path, await rewritten(asset, (manifest) => manifestOf(manifest, brand, basePath))];
  };
  return new Map(await Promise.all([...assets].map(renamed)));
}

function pageOf(page: string, { name, accent, logo }: Brand, basePath: string): string {
  const said = Bun.escapeHTML(name);
  const address = logo && Bun.escapeHTML(basePath + logo);
  // A name may hold what a replacement means something by.
  return page
    .replace("<title>Satchel</title>", () => `<title>${said}</title>`)
    .replaceAll('content="Satchel"', () => `content="${said}"`)
    .replace(MARK, (mark) =>
      address
        ? `<img src="${address}" alt="" class="h-7 w-auto max-w-28 object-contain">${said}`
        : mark.replace(/Satchel$/, () => said),
    )
    .replace(ICON, (icon) => (address ? `<link rel="icon" type="image/webp" href="${address}">` : icon))
    .replace("</head>", () => (accent ? `<style id="accent">${accentStyle(accent)}</style></head>` : "</head>"));
}

function manifestOf(text: string, { name, logo }: Brand, basePath: string): string {
  const manifest = JSON.parse(text) as { icons: object[] };
  const icon = logo && { src: basePath + logo, sizes: "any", type: "image/webp", purpose: "any" };
  return JSON.stringify({ ...manifest, name, short_name: name, icons: [...(icon ? [icon] : []), ...manifest.icons] });
}
