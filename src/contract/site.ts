import { endpoint } from "./endpoint.ts";
import { done } from "./fields.ts";
import { LOGO_PIXELS, MAX_LOGO_BYTES } from "./limits.ts";
import * as z from "./schemas.ts";

/** The logo of the site. Its name and its colour are settings. */
export const site = {
  setLogo: endpoint({
    method: "PUT",
    path: "/admin/site/logo",
    access: "admin",
    audit: "settings.update",
    summary: `Show a picture as the logo of this site: JPEG, PNG, WebP or GIF by its content, of at most ${MAX_LOGO_BYTES / 1024 ** 2} MB; it is kept as WebP of at most ${LOGO_PIXELS} pixels`,
    raw: true,
    response: z.object({ data: z.object({ bytes: z.int() }) }),
  }),
  removeLogo: endpoint({
    method: "DELETE",
    path: "/admin/site/logo",
    access: "admin",
    audit: "settings.update",
    summary: "Show our own logo again",
    response: done,
  }),
};
