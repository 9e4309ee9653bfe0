import { storage as api } from "#contract/storage";
import type { House } from "../../house.ts";
import type { Arrival } from "../arrival.ts";
import { languageOf } from "./failures.ts";
import type { Bind } from "./route.ts";

/** What an administrator does about a storage that does not work, over REST. */
export function bindStorageDoctor(bind: Bind, { stores: { doctor } }: Pick<House, "stores">): void {
  bind(api.test, async ({ params: { id }, request, arrival }) => {
    arrival.hold();
    return await doctor.examine(id, { origin: pageOf(request, arrival), language: languageOf(request.headers) });
  });

  bind(api.setCors, async ({ params: { id }, body: { origins } }) => {
    await doctor.setCors(id, origins);
    return {};
  });
}

/** The origin of the page that asks, ours when none does: a browser says it with every POST (Fetch Standard). */
function pageOf({ headers }: Request, arrival: Arrival): string {
  const said = headers.get("origin") ?? "";
  const url = URL.parse(said);
  return url && /^https?:$/.test(url.protocol) && url.origin === said ? said : arrival.origin();
}
