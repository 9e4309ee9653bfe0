import type { Shape } from "../shape.ts";
import type { scriptless as zh } from "../zh/scriptless.ts";

/** Pages where no scripts run. build.ts writes it into them, in every language; the app never loads it. */
export const scriptless: Shape<typeof zh> = {
  needs: "This page needs JavaScript, which is switched off here.",
  share: "Without JavaScript a share still opens if it has no password; that counts as a view.",
  paste: "Open the text as it is",
  file: "Download the file",
};
