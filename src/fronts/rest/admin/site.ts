import { Failure } from "#contract/failures";
import { MAX_LOGO_BYTES, MAX_LOGO_PIXELS } from "#contract/limits";
import { site as api } from "#contract/site";
import type { House } from "../../../house.ts";
import { readBytes } from "../../body.ts";
import type { Bind } from "../bind.ts";

/** The logo of the site over REST. */
export function bindSite(
  bind: Bind,
  { settings, thumbs, access }: Pick<House, "settings" | "thumbs" | "access">,
): void {
  bind(api.setLogo, async ({ request, context, principal, touched }) => {
    if ((context.length ?? 0) > MAX_LOGO_BYTES)
      throw new Failure("logo.tooLarge", { megapixels: MAX_LOGO_PIXELS / 1e6 });
    const sent = await readBytes(request, context, MAX_LOGO_BYTES);
    const logo = await thumbs.logoOf(sent, request.signal);
    await access.callers.now(principal);
    await settings.set("site_logo", Buffer.from(logo).toString("base64"));
    touched({ name: "site", fields: ["site_logo"] });
    return { data: { bytes: logo.length } };
  });

  bind(api.removeLogo, async ({ touched }) => {
    await settings.set("site_logo", "");
    touched({ name: "site", fields: ["site_logo"] });
    return {};
  });
}
