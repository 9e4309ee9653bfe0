/** A header of every page of the app, so that the service worker takes no page of a captive portal or a proxy for one. */
export const PAGE_MARK = "satchel-page";
