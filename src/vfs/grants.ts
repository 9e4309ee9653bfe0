import { Failure } from "#contract/failures";
import { VISITOR_GRANT_LIFE } from "#contract/limits";
import { treePath } from "#contract/paths";
import type { Callers } from "../access/callers.ts";
import { type AdminCaller, ownerName, type TreeCaller } from "../access/principal.ts";
import type { Clock } from "../lib/clock.ts";
import { deriveKey, mac, sameText } from "../lib/secret.ts";

interface TreeGrantsDeps {
  readonly secret: string;
  readonly clock: Clock;
  readonly callers: Pick<Callers, "now" | "epoch" | "callerOf">;
}

/** What a grant opens: the bytes of a file, or also an archive of whatever its paths lead to. */
type Opens = "file" | "archive";

interface GrantOptions {
  /** A file alone unless said. */
  readonly opens?: Opens;
  /** Six hours unless said. */
  readonly seconds?: number | undefined;
}

/** A grant and when it ends, in epoch milliseconds. */
interface TreeGrant {
  readonly grant: string;
  readonly until: number;
}

const DEFAULT_SECONDS = VISITOR_GRANT_LIFE / 1000;
/** How it names the administrator and the session that it ends with. */
const SESSION = /^admin:([\w-]+)$/;
/** What it says of itself, for archives its seal, and the seal of all of it. */
const SHAPE = /^([kvKV])([0-9a-z]{1,12})\.([\w:-]{1,100})(?:\.[\w-]{43}){1,2}$/;

/**
 * Texts that stand in for a caller when exactly these paths are fetched; one for a file opens no folder that comes in its place. They let nobody do more than the caller may at that
 * moment, and show whom they were made by, but nothing that is secret. The epoch of the owner is signed with them, so all of an
 * owner's grants end with a changed password, name or key. One for a file outlives the session that made it, because such links are made to be
 * handed out. One for archives, which may open the whole tree, ends with the session that it names, and has a seal without its paths, too: a
 * list of ten thousand is read only after it.
 */
export function createTreeGrants({ secret, clock, callers }: TreeGrantsDeps) {
  const key = deriveKey(secret, "tree grants");

  const seal = (...sealed: unknown[]): string => mac(key, JSON.stringify(sealed)).toString("base64url");

  /** What a grant says of itself; sealed where it is for archives. */
  const headOf = ({ owner, session, visitor, opens, until, epoch }: Sealed): string => {
    const kind = visitor ? "v" : "k";
    const by = session === undefined ? owner : `${owner}:${session}`;
    const said = `${opens === "archive" ? kind.toUpperCase() : kind}${until.toString(36)}.${by}`;
    return opens === "archive" ? `${said}.${seal(said, epoch)}` : said;
  };

  const write = (made: Sealed, paths: readonly string[]): string => {
    const head = headOf(made);
    return `${head}.${seal(head, paths, made.epoch)}`;
  };

  /** What a grant says that has not ended and may open what is wanted; its seals are for the caller to compare. */
  const readSealed = async (grant: string, wanted: Opens): Promise<Sealed | undefined> => {
    const made = read(grant);
    if (!made || made.until <= clock() || (wanted === "archive" && made.opens !== "archive")) return undefined;
    const epoch = await callers.epoch(made.owner);
    return epoch === undefined ? undefined : { ...made, epoch };
  };

  /** Whether the session that a grant names, if it names one, has not ended. Asked after the seals: anybody may send a grant. */
  const isSignedIn = async ({ session }: Made): Promise<boolean> => {
    if (session === undefined) return true;
    try {
      await callers.now({ kind: "admin", sessionId: session });
      return true;
    } catch (error) {
      if (error instanceof Failure && error.code === "auth.expired") return false;
      throw error;
    }
  };

  return {
    /** 400 path.invalid; 401 when nobody is left of the caller. */
    async make(caller: TreeCaller, sent: readonly string[], options: GrantOptions = {}): Promise<TreeGrant> {
      const { opens = "file", seconds = DEFAULT_SECONDS } = options;
      const paths = cleanPaths(sent);
      if (!paths) throw new Failure("path.invalid");
      // Read before the caller is looked up: a session that lives afterwards is of this epoch.
      const epoch = await callers.epoch(ownerName(caller));
      await callers.now(caller);
      if (epoch === undefined) throw new Failure("auth.expired");
      const visitor = caller.kind === "key" && caller.isVisitor;
      const session = (opens === "archive" && caller.kind === "admin" && caller.sessionId) || undefined;
      const until = clock() + Math.floor(seconds) * 1000;
      return { grant: write({ owner: ownerName(caller), session, visitor, opens, until, epoch }, paths), until };
    },

    /** As whom the bearer of a grant for exactly these paths acts; undefined when it does not hold, or does not open what is wanted. */
    async holder(grant: string, sent: readonly string[], wanted: Opens = "file"): Promise<TreeCaller | undefined> {
      const paths = cleanPaths(sent);
      const made = paths && (await readSealed(grant, wanted));
      if (!made || !sameText(write(made, paths), grant) || !(await isSignedIn(made))) return undefined;
      const caller = await callers.callerOf(made.owner);
      if (caller?.kind === "admin") return adminBy(made);
      if (caller?.kind !== "key") return caller;
      // A key may have stopped to be the visitors' one; and whoever has the key itself is no visitor.
      return made.visitor && !caller.isVisitor ? undefined : { ...caller, isVisitor: made.visitor };
    },

    /** Whether a grant for archives holds as far as that can be told before its paths are known. */
    async isSealed(grant: string): Promise<boolean> {
      const made = await readSealed(grant, "archive");
      if (!made || !sameText(headOf(made), grant.slice(0, grant.lastIndexOf(".")))) return false;
      return await isSignedIn(made);
    },
  };
}

export type TreeGrants = ReturnType<typeof createTreeGrants>;

/** The administrator, as long as what the grant ends with has not ended: what it opens may take hours. */
const adminBy = ({ session, epoch }: Sealed): AdminCaller =>
  session === undefined ? { kind: "admin", sessionId: null, account: epoch } : { kind: "admin", sessionId: session };

/** What a grant says of itself. */
interface Made {
  readonly owner: string;
  /** The administrator's session that it ends with; undefined for one that ends with none. */
  readonly session: string | undefined;
  readonly visitor: boolean;
  readonly opens: Opens;
  /** Epoch milliseconds. */
  readonly until: number;
}

/** With the epoch of its owner. */
interface Sealed extends Made {
  readonly epoch: string;
}

function read(grant: string): Made | undefined {
  const [, kind, until = "", by = ""] = SHAPE.exec(grant) ?? [];
  if (kind === undefined) return undefined;
  const session = SESSION.exec(by)?.[1];
  const owner = session === undefined ? by : "admin";
  const opens = kind === kind.toUpperCase() ? "archive" : "file";
  return { owner, session, visitor: kind.toLowerCase() === "v", opens, until: Number.parseInt(until, 36) };
}

/** In an order that does not depend on how they were sent; undefined when one cannot be. */
function cleanPaths(sent: readonly string[]): string[] | undefined {
  const paths = sent.map((one) => treePath(one));
  return paths.every((path) => path !== undefined) ? [...new Set(paths)].sort() : undefined;
}
