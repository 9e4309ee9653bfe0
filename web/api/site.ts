import { site } from "#contract/site";
import { call } from "./call.ts";
import { sendFile } from "./send-file.ts";

/** Shows a picture as the logo of the site, or ours again (null). Throws ApiFailure. */
export async function setLogo(picture: Blob | null): Promise<void> {
  await (picture ? sendFile(site.setLogo, picture) : call(site.removeLogo, {}));
}
