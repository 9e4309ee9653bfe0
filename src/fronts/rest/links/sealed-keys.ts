import { sealedKeys as api } from "#contract/sealed-keys";
import type { House } from "../../../house.ts";
import { iso } from "../../../lib/clock.ts";
import type { Bind } from "../bind.ts";

/** Keys that open what was sealed for links, for their owners alone. */
export function bindSealedKeys(bind: Bind, { links: { sealedKeys } }: Pick<House, "links">): void {
  bind(api.list, async ({ principal }) => ({
    data: { keys: (await sealedKeys.list(principal)).map(shown) },
  }));

  bind(api.create, async ({ body, principal }) => ({ data: shown(await sealedKeys.create(principal, body)) }));

  bind(api.remove, async ({ params: { id }, principal }) => {
    await sealedKeys.remove(principal, id);
    return {};
  });
}

type Row = Awaited<ReturnType<House["links"]["sealedKeys"]["create"]>>;

const shown = ({ id, recipient, passkey, sealed, created_at }: Row) => ({
  ...{ id, recipient, passkey, sealed },
  created_at: iso(created_at),
});
