import type { Page } from "playwright-core";
import type { KeyRecord } from "#contract/keys";
import { bitsOf, type Permission } from "#contract/permissions";
import type { Visit, VisitOptions } from "./chromium.ts";
import type { Journey } from "./journey.ts";

/** People who come with an API key, or without any credential where a visitors' key lets them. */
export function peopleOf(journey: Journey) {
  const makeKey = async (rights: readonly Permission[], is_guest = false): Promise<KeyRecord> => {
    const fields = { name: `key ${crypto.randomUUID()}`, permissions: bitsOf(rights), is_guest, expires_at: null };
    return (await journey.call<{ data: KeyRecord }>("POST", "/api/admin/api-keys", fields)).data;
  };
  const removeKey = async ({ id }: KeyRecord): Promise<void> =>
    void (await journey.call("DELETE", `/api/admin/api-keys/${id}`));

  return {
    makeKey,
    removeKey,
    /** Lets visitors act with these rights for as long as it lives. */
    async visitorsMay(...rights: Permission[]) {
      const key = await makeKey(rights, true);
      return { key, [Symbol.asyncDispose]: () => removeKey(key) };
    },
    /** Somebody who has signed in with this key before. */
    async holder(key: KeyRecord, options: Omit<VisitOptions, "address"> = {}): Promise<Visit> {
      const visit = await journey.visitor(options);
      await visit.context.addInitScript((stored) => {
        // A document without an origin, such as the browser's own about an error, may not ask for storage.
        if (window.origin === "null" || sessionStorage.getItem("arrived")) return;
        sessionStorage.setItem("arrived", "1");
        Object.assign(localStorage, stored);
      }, storedKey(key));
      return visit;
    },
  };
}

/** What a browser keeps of a key that it is signed in with. */
const storedKey = ({ key, id, name, basic_path, permissions }: KeyRecord) => ({
  api_key: key,
  api_key_permissions: String(permissions),
  api_key_info: JSON.stringify({ id, name, basic_path }),
});

/** Notes every call that is refused for want of rights: nothing that is offered may be. */
export function refusals(page: Page): string[] {
  const refused: string[] = [];
  page.on("response", (response) => {
    if ([401, 403].includes(response.status())) refused.push(`${response.request().method()} ${response.url()}`);
  });
  return refused;
}
