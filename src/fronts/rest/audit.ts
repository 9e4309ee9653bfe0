import { audit as api } from "#contract/audit";
import type { AuditAction } from "#contract/audit-actions";
import type { Endpoint } from "#contract/endpoint";
import type { AuditNote } from "../../access/audit.ts";
import { ownerName, type Principal } from "../../access/principal.ts";
import type { House } from "../../house.ts";
import type { Bind, RouteInput, Touched } from "./route.ts";

/** The audit log over REST. */
export function bindAudit(bind: Bind, { access: { audit } }: Pick<House, "access">): void {
  bind(api.list, async ({ query }) => {
    const { limit, offset } = query;
    const { entries, total } = await audit.list(query);
    return { data: entries, pagination: { total, limit, offset, hasMore: offset + entries.length < total } };
  });
}

/** A call of an endpoint that the audit log holds. */
interface AuditedCall extends Pick<RouteInput<Endpoint>, "params" | "principal" | "arrival"> {
  readonly action: AuditAction;
  /** Names of the fields of its body. */
  readonly sent: readonly string[];
  readonly changed: Touched;
}

/** What the audit log holds of a call: where the route says nothing, what `params` name and every field that was sent. */
export function noteOf({ action, params, principal, arrival, sent, changed }: AuditedCall): AuditNote {
  const { id: subject = namedIn(params), name, fields = sent } = changed;
  return { action, actor: actorOf(principal), address: arrival.address, subject, name, fields };
}

const actorOf = (principal: Principal): string => (principal.kind === "anonymous" ? "nobody" : ownerName(principal));

function namedIn(params: unknown): string | undefined {
  const { id, group } = (params ?? {}) as { id?: string; group?: number };
  return id ?? group?.toString();
}
