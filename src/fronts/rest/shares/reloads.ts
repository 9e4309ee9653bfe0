import { RELOAD_LIFE } from "#contract/limits";
import type { Clock } from "../../../lib/clock.ts";
import type { Opening, Viewed } from "../../../shares/gate.ts";
import type { Grants } from "../../../shares/grants.ts";
import type { Gated } from "../../../shares/share-state.ts";
import type { RequestContext } from "../../context.ts";

/** The cookie of a browser that has opened a share; a browser sends it to the calls of that share alone, by its path. */
const NAME = "satchel_opened";
const WRITTEN = new RegExp(`(?:^|;)\\s*${NAME}=([\\w.-]{1,100})\\s*(?:;|$)`);

interface ReloadsDeps {
  readonly grants: Grants;
  readonly clock: Clock;
  readonly kind: "paste" | "file";
  /** The path of the call that looks at shares, before their slugs. */
  readonly path: string;
}

/** A call that may leave a cookie. */
interface Call {
  readonly context: Pick<RequestContext, "base" | "pathTo">;
  readonly setCookie: (cookie: string) => void;
}

/** Has browsers load a share again that they have just opened: with a cookie that no script reads and no other site has sent. */
export function createReloads({ grants, clock, kind, path }: ReloadsDeps) {
  return {
    /** What the browser was given when it opened the share. */
    tokenOf: ({ headers }: Request): string | undefined => WRITTEN.exec(headers.get("cookie") ?? "")?.[1],

    /**
     * Leaves the cookie of a share that was opened and asks for something; answers for how many seconds it holds. Its owner needs none, who
     * loads it again as often as they like.
     */
    remember(opening: Opening<Gated, Viewed>, { context, setCookie }: Call): number | undefined {
      if (!opening.open || opening.opened.own) return undefined;
      const { share } = opening;
      if (share.password_hash === null && share.max_views === 0) return undefined;
      const seconds = RELOAD_LIFE / 1000;
      const attributes = [
        `${NAME}=${grants.makeReload({ kind, id: share.id, version: share.version }, clock())}`,
        `Path=${context.pathTo(`/api${path}/${encodeURIComponent(share.slug)}`)}`,
        `Max-Age=${seconds}`,
        "HttpOnly",
        "SameSite=Lax",
        ...(context.base().startsWith("https:") ? ["Secure"] : []),
      ];
      setCookie(attributes.join("; "));
      return seconds;
    },
  };
}
