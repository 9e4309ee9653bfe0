/** The pages of the app to which strangers come who follow no link. Each has a file that names at once what it needs (build.ts). */
export const openPageNames = ["home", "upload"] as const;
export type OpenPage = (typeof openPageNames)[number];

/** Where that file is among those of the site. */
export const openPagePath = (name: OpenPage): string => `/open-pages/${name}.html`;

const addresses: ReadonlyMap<string, OpenPage> = new Map([
  ["/", "home"],
  ["/upload", "upload"],
]);

/** The file of the page at an address; undefined where all that there is need not be named. */
export function openPageAt(path: string): string | undefined {
  const name = addresses.get(path);
  return name && openPagePath(name);
}
