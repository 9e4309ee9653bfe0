import { site } from "#contract/site";
import { pathTo } from "../lib/base-path.ts";
import { call } from "./call.ts";
import { sendFile } from "./transport/send-file.ts";

/** Shows a picture as the logo of the site, or ours again (null). Throws ApiFailure. */
export async function setLogo(picture: Blob | null): Promise<void> {
  await (picture ? sendFile(site.setLogo, picture) : call(site.removeLogo, {}));
}

/**
 * Takes what the server tells pages of the site once more, after a change: names, logo and how long shares last hold in this page too, without
 * loading it again. What cannot be had comes with the next page.
 */
export async function takeSite(): Promise<void> {
  const script = document.createElement("script");
  script.src = pathTo("/config.js");
  const taken = new Promise((resolve) => {
    script.onload = resolve;
    script.onerror = resolve;
  });
  document.head.append(script);
  await taken;
  script.remove();
}
