import { openTestHouse, type TestHouseOptions } from "../test-house.ts";
import { asking, davCalls } from "./dav.ts";

/** A house and its WebDAV calls, as the administrator. */
export async function openDav(options: TestHouseOptions = {}) {
  const house = await openTestHouse(options);
  const dav = davCalls(house);
  return {
    house,
    ...dav,
    /** A dead property, or nothing. */
    property: async (path: string, name = "p") =>
      (await dav.propfind(path, "0", asking(`<x:${name}/>`)))[0]?.properties[`{urn:x}${name}`],
    [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
  };
}
