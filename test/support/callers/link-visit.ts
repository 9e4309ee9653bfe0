import { links as api, type LinkRecord, type NewLink, type OpenedLink, type PeekedLink } from "#contract/links";
import type { TreeCalls, Who } from "../tree/tree-house.ts";

type NewLinkInput = Partial<Omit<NewLink, "items">>;

/** Links of a house, made over REST and opened as a visitor does. */
export function linkCalls({ house, admin, call }: TreeCalls) {
  const at = (path: string, slug: string) => `/api${path.replace(":slug", slug).replace(":id", slug)}`;

  const send = async <Data>(method: string, url: string, who: Who, body?: unknown, peer?: string) => {
    const init = { method, headers: who, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await house.request(url, init, peer);
    return { ...((await response.json()) as { data: Data; error?: string }), status: response.status };
  };

  const open = (slug: string, body: Record<string, unknown> = {}, peer?: string) =>
    send<OpenedLink>("POST", at(api.open.path, slug), {}, body, peer);

  const withGrant = ({ grant }: Pick<OpenedLink, "grant">): Who => ({ authorization: `Link ${grant}` });

  const make = async (items: readonly string[], fields: NewLinkInput = {}, who: Who = admin): Promise<LinkRecord> => {
    const { data, message } = await call(api.create, { body: { items: [...items], ...fields } }, who);
    if (!data) throw new Error(message);
    return data;
  };

  return {
    make,
    open,
    withGrant,

    /** Makes a link and opens it. */
    async visit(items: readonly string[], fields: NewLinkInput = {}, owner: Who = admin) {
      const link = await make(items, fields, owner);
      const { data, error } = await open(link.slug, { password: fields.password });
      if (!data) throw new Error(error);
      return { link, opened: data, who: withGrant(data) };
    },

    peek: (slug: string, peer?: string) => send<PeekedLink>("GET", at(api.peek.path, slug), {}, undefined, peer),
    get: (id: string, who: Who = admin) => send<LinkRecord>("GET", at(api.get.path, id), who),
    update: (id: string, change: Record<string, unknown>, who: Who = admin) =>
      send<LinkRecord>("PUT", at(api.update.path, id), who, change),
    remove: (id: string, who: Who = admin) => send<undefined>("DELETE", at(api.remove.path, id), who),
  };
}
