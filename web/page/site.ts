/** What the server has told this page of the site when it started (/config.js); the development server tells nothing. */
interface SiteConfig {
  readonly site?: { readonly name: string; readonly logo?: string };
  readonly sharing?: SharingHours;
}

/** How many hours shares last; 0 is for ever, and without limit. */
interface SharingHours {
  /** Of those that were given no expiry. */
  readonly defaultHours: number;
  readonly longestHours: number;
  /** The longest of visitors. */
  readonly visitorHours: number;
}

declare global {
  interface Window {
    appConfig?: SiteConfig & { readonly backendUrl: string; readonly sourceUrl?: string };
  }
}

/** What pages without a configuration are called. */
export const OUR_NAME = "Satchel";

const config = (): SiteConfig => (typeof window === "undefined" ? {} : (window.appConfig ?? {}));

export const siteName = (): string => config().site?.name || OUR_NAME;

/** The address of the site's own logo. */
export const siteLogo = (): string | undefined => config().site?.logo;

/** How long the shares of somebody last: of a visitor, or of somebody with a credential. */
export function sharingHours(isVisitor: boolean): { readonly usual: number; readonly longest: number } {
  const { defaultHours = 0, longestHours = 0, visitorHours = 0 } = config().sharing ?? {};
  const bounds = [longestHours, isVisitor ? visitorHours : 0].filter((hours) => hours > 0);
  const longest = bounds.length === 0 ? 0 : Math.min(...bounds);
  const usual = longest > 0 && (defaultHours === 0 || defaultHours > longest) ? longest : defaultHours;
  return { usual, longest };
}
