/** The program for terminals, with the address of this server in it, and the list that it shows. */

import { firstLine } from "#contract/text/first-line";
import { ownerNames } from "../../access/principal.ts";
import { hasRight } from "../../access/rights.ts";
import type { House } from "../../house.ts";
import { isoOrNull } from "../../lib/clock.ts";
import { textAnswer } from "../../lib/counting.ts";
import { shownName } from "../../lib/unseen.ts";
import type { RequestContext } from "../context.ts";
import { pagePathOf } from "../rest/shares/shares.ts";
import { type Admits, withoutVisitors } from "./admits.ts";
import script from "./cli.sh" with { type: "text" };

const PATH = "/cli";
const SHARES = "/cli/shares";

export const isCli = ({ path }: Pick<RequestContext, "path">, { method }: Request): boolean =>
  (method === "GET" || method === "HEAD") && (path === PATH || path === SHARES);

/** The newest shares of each kind that are listed. */
const MOST = 100;

const headers = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };

interface Shared {
  readonly page: string;
  readonly name: string;
  readonly size: number;
  readonly expires_at: number | null;
  readonly created_at: number;
}

/** Newest first, a line for each: address, bytes, expiry, name. */
const linesOf = (base: string, shares: readonly Shared[]): string =>
  shares
    .toSorted((one, other) => other.created_at - one.created_at)
    .slice(0, MOST)
    .map(({ page, size, expires_at, name }) =>
      [base + page, size, isoOrNull(expires_at) ?? "-", shownName(name)].join("\t"),
    )
    .map((line) => `${line}\n`)
    .join("");

/** Answers the program, and whoever has a key the list of their shares. 401, 403. */
export function createCli({ shares: { files, pastes } }: Pick<House, "shares">, anybody: Admits) {
  const admits = withoutVisitors(anybody);
  const newest = { limit: MOST, offset: 0, sort: "created", order: "desc" } as const;

  const textsOf = async (owners: readonly string[] | undefined): Promise<readonly Shared[]> => {
    const { rows } = await pastes.list({ ...newest, owners });
    return rows.map((row) => ({
      ...row,
      page: `/paste/${row.slug}`,
      name: row.remark || firstLine(row.preview, row.plain === 1),
    }));
  };
  const filesOf = async (owners: readonly string[] | undefined): Promise<readonly Shared[]> => {
    const { rows } = await files.list({ ...newest, owners });
    return rows.map((row) => ({ ...row, page: pagePathOf(row), name: row.filename }));
  };

  /** Of the kinds that the caller has a right to. */
  const list = async (request: Request, context: RequestContext): Promise<string> => {
    const caller = await admits(request, context, "file_share", "text");
    const owners = caller.kind === "admin" ? undefined : ownerNames(caller);
    const both = await Promise.all([
      hasRight(caller, "text") ? textsOf(owners) : [],
      hasRight(caller, "file_share") ? filesOf(owners) : [],
    ]);
    return linesOf(context.base(), both.flat());
  };

  return async (request: Request, context: RequestContext): Promise<Response> => {
    const text = context.path === PATH ? script.replaceAll("@HOST@", context.base()) : await list(request, context);
    return textAnswer(text, { headers });
  };
}
