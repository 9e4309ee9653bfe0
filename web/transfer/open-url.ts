import { sourceBytes } from "../api/source-bytes.ts";
import type { OpenUrl, Way } from "./download.ts";
import { failed } from "./failures.ts";

/** Asks a source itself, which learns nothing of who asks but where from. */
const direct: OpenUrl = async (url, signal) => {
  const response = await fetch(url, { signal, credentials: "omit", referrerPolicy: "no-referrer", cache: "no-store" });
  if (!response.ok) throw failed("network", response.status);
  return response;
};

/** Both ways to a file on the web, as a browser has them. */
export const openUrl: Readonly<Record<Way, OpenUrl>> = { direct, proxy: sourceBytes };
