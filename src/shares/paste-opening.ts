import type { Limiter } from "../access/limiter.ts";
import type { Passwords } from "../access/passwords.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import {
  createGate,
  type Opening,
  type Prepare,
  type Refused,
  type Reloaded,
  type Spent,
  type Visitor,
} from "./gate.ts";
import type { Grants } from "./grants.ts";
import { createShareCache, createViewCounter } from "./memory.ts";
import type { FoundPaste, OpenedText, PasteRow, PastesTable } from "./pastes-table.ts";
import { isGone, opensFreely } from "./share-state.ts";

export interface PasteOpeningDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly passwords: Passwords;
  readonly grants: Grants;
  readonly limiter: Limiter;
  readonly cluster: Pick<Cluster, "follow">;
  readonly spent?: Spent | undefined;
  readonly refused?: Refused | undefined;
  /** Called when a text was changed or removed. */
  readonly edited?: (() => void) | undefined;
}

interface ReloadedText extends Reloaded<FoundPaste> {
  readonly content: string;
}

/** Opens texts: from memory where that is allowed, by a statement that spends a view otherwise. */
export function createPasteOpening(table: PastesTable, deps: PasteOpeningDeps) {
  const { clock, log, passwords, grants, limiter, cluster, spent, refused } = deps;
  const isFree = ({ free_content }: FoundPaste) => free_content !== null;
  // Their views are counted where all servers see them, and the statement that spends one asks whether the text is as it was found.
  const isLimited = (share: FoundPaste) => share.password_hash === null && share.views < share.max_views;
  const shareCache = createShareCache<FoundPaste>("texts", (share) => isFree(share) || isLimited(share), cluster);
  const { changed } = shareCache;
  const counter = createViewCounter((views) => changed(table.addViews(views, clock())), log);

  const counted = (share: FoundPaste, content: string | undefined): OpenedText | undefined =>
    content === undefined ? undefined : { views: share.views + counter.count(share.id), content };
  const spend = (share: FoundPaste, now: number): Promise<OpenedText | undefined> | OpenedText | undefined => {
    if (share.password_hash !== null || share.max_views > 0) return table.spend(share, now);
    const { free_content } = share;
    return free_content === null
      ? table.content(share).then((content) => counted(share, content))
      : counted(share, free_content);
  };
  const show = async (share: FoundPaste): Promise<OpenedText | undefined> => {
    const content = await table.content(share);
    return content === undefined ? undefined : { views: share.views, content };
  };
  const keptIf = (isGood: (share: FoundPaste) => boolean) => (slug: string) => {
    const share = shareCache.kept(slug);
    return share && isGood(share) ? share : undefined;
  };
  const opens = (share: FoundPaste) => opensFreely(share, clock());
  const find = (slug: string) => shareCache.keep(slug, (wanted) => table.findForVisitor(wanted, opens));
  // One that has expired here may have got longer at another server.
  const isSpendable = (share: FoundPaste) => isLimited(share) && !isGone(share, clock());
  const gated = { kept: keptIf(isFree), spendable: keptIf(isSpendable), find, spend, show };
  const gate = createGate({ kind: "paste", table: gated, passwords, grants, limiter, clock, spent, refused });

  const opening = {
    /** Opens for a visitor and spends a view. 404, 410, 401 password.wrong, 429. */
    open: (slug: string, visitor: Visitor, prepare?: Prepare<PasteRow>): Promise<Opening<FoundPaste, OpenedText>> =>
      gate.open(slug, visitor, { prepare }),
    peek: gate.peek,
    unlock: gate.unlock,
    look: gate.look,
    glance: gate.glance,

    /** A text with what is in it for the browser that has opened it some minutes ago; spends nothing. Undefined for any other. */
    async reload(slug: string, visitor: Visitor, prepare?: Prepare<PasteRow>): Promise<ReloadedText | undefined> {
      const found = await gate.reload(slug, visitor);
      if (!found) return undefined;
      await prepare?.(found.share);
      const content = await opening.contentOf(found.share);
      return content === undefined ? undefined : { ...found, content };
    },

    /** The content of a text that `glance` found; undefined when it has changed since. Spends nothing. */
    contentOf: async (share: FoundPaste): Promise<string | undefined> =>
      share.free_content ?? (await table.content(share)),
  };
  /** Awaits a change of texts, which is told to whoever keeps something of them. */
  const changedByOwner = <Result>(change: Promise<Result>): Promise<Result> =>
    changed(change).finally(() => deps.edited?.());
  return { opening, counter, shareCache, changed: changedByOwner };
}
