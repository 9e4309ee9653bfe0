import { type AuditAction, audit as api } from "#contract/audit";
import type { Endpoint } from "#contract/endpoint";
import type { Audit } from "../../access/audit.ts";
import { ownerName, type Principal } from "../../access/principal.ts";
import type { House } from "../../house.ts";
import type { Bind, Route, RouteInput, Touched } from "./route.ts";

/** The audit log over REST. */
export function bindAudit(bind: Bind, { access: { audit } }: Pick<House, "access">): void {
  bind(api.list, async ({ query }) => {
    const { limit, offset } = query;
    const { entries, total } = await audit.list(query);
    return { data: entries, pagination: { total, limit, offset, hasMore: offset + entries.length < total } };
  });
}

type Untold<E extends Endpoint> = Omit<RouteInput<E>, "touched">;

/** A route whose change is written down when it has succeeded; `sent` are the names of the fields of its body. */
export function audited<E extends Endpoint>(action: AuditAction, route: Route<E>, audit: Audit) {
  return async (input: Untold<E>, sent: readonly string[]) => {
    const { principal, arrival } = input as Untold<Endpoint>;
    const subject = namedIn(input.params);
    let changed: Touched | undefined = {};
    const touched = (what: Touched | undefined) => {
      changed = what;
    };
    const answer = await route({ ...input, touched } as RouteInput<E>);
    if (!changed) return answer;
    const { id = subject, name, fields = sent }: Touched = changed;
    await audit.note({ action, actor: actorOf(principal), address: arrival.address, subject: id, name, fields });
    return answer;
  };
}

/** A route that nobody writes down. */
export const unnoted =
  <E extends Endpoint>(route: Route<E>) =>
  (input: Untold<E>) =>
    route({ ...input, touched: ignored } as RouteInput<E>);

const ignored = () => undefined;

const actorOf = (principal: Principal): string => (principal.kind === "anonymous" ? "nobody" : ownerName(principal));

function namedIn(params: unknown): string | undefined {
  const { id, group } = (params ?? {}) as { id?: string; group?: number };
  return id ?? group?.toString();
}
