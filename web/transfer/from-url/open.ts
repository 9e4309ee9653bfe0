import { sourceBytes } from "../../api/transport/source-bytes.ts";
import { failed } from "../failures.ts";
import type { OpenUrl, Way } from "./download.ts";

/** Requests a file from its source, without credentials and referrer. */
const direct: OpenUrl = async (url, signal) => {
  const response = await fetch(url, { signal, credentials: "omit", referrerPolicy: "no-referrer", cache: "no-store" });
  if (!response.ok) throw failed("network", response.status);
  return response;
};

/** Both ways to download a file from the web. */
export const openUrl: Readonly<Record<Way, OpenUrl>> = { direct, proxy: sourceBytes };
