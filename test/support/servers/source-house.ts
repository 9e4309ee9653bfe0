import { urlUploads } from "#contract/url-uploads";
import { ask } from "../share-file.ts";
import { openTestHouse, type TestHouse, type TestHouseOptions } from "../test-house.ts";
import { onlyHere } from "./web-source.ts";

/** A house whose sources may be on this machine. */
export const openSourceHouse = (options: TestHouseOptions = {}) => openTestHouse({ sources: onlyHere, ...options });

export const info = (house: TestHouse, url: string) => ask(house, urlUploads.info, { body: { url } });

export async function proxied(house: TestHouse, url: string, headers?: Record<string, string>) {
  const path = `/api/url/proxy?${new URLSearchParams({ url })}`;
  return await house.request(path, { headers: headers ?? { authorization: `Bearer ${await house.signIn()}` } });
}
