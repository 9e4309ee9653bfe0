import { Failure } from "#contract/failures";

/**
 * Refuses an SVG to a page of this server that would draw it as it comes (Fetch Metadata): a drawing is a program that may hold the page for
 * good, so pages read it first, and draw it when that is little. 406 drawing.unread, which costs no view.
 */
export function refuseUnreadSvg({ headers }: Request, type: string): void {
  const isDrawn = headers.get("sec-fetch-dest") === "image" && headers.get("sec-fetch-site") === "same-origin";
  if (isDrawn && /svg/i.test(type)) throw new Failure("drawing.unread");
}
