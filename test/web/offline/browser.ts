import "fake-indexeddb/auto";
import { deleteDB } from "idb";
import { pastes } from "#contract/pastes";
import { DATABASE, openDatabase } from "../../../web/offline/database.ts";
import { locksOf } from "../../../web/offline/locks.ts";
import { createOffline } from "../../../web/offline/offline.ts";

type Answer = () => Response;

/** A browser with an offline database of its own, whose server gives the answers of a test and is out of reach after them. */
export async function openBrowser(version = "1.2.3") {
  const database = await openDatabase(version);
  const at = {
    now: 1_000_000_000_000,
    person: "admin" as string | undefined,
    notQueued: [] as string[],
    meanwhile: undefined as (() => Promise<unknown>) | undefined,
    /** A server in place of the answers. */
    server: undefined as ((url: string, init: RequestInit) => Promise<Response>) | undefined,
  };
  const requests: { readonly url: string; readonly init: RequestInit }[] = [];
  const answers: Answer[] = [];
  const offline = createOffline({
    database,
    sender: () => ({ authorization: at.person && `Bearer of ${at.person}`, person: at.person, language: "en" }),
    fetch: async (url, init) => {
      requests.push({ url, init });
      if (at.server) return await at.server(url, init);
      const answer = answers.shift();
      await at.meanwhile?.();
      if (!answer) throw new TypeError("fetch failed");
      return answer();
    },
    base: "/api",
    locks: locksOf(undefined),
    now: () => at.now,
    onQueueFailed: (why) => void at.notQueued.push(why),
  });
  await offline.attend();
  return {
    database,
    offline,
    at,
    requests,
    answer: (status: number, body: unknown) => void answers.push(() => Response.json(body, { status })),
    /** A page in place of an answer of the API. */
    answerPage: (status: number, html: string) => void answers.push(() => new Response(html, { status })),
    /** Closes the page; what it kept stays. */
    close: () => database.close(),
    async [Symbol.asyncDispose]() {
      database.close();
      await deleteDB(DATABASE);
    },
  };
}

type Browser = Awaited<ReturnType<typeof openBrowser>>;

/** Shares a text that has to wait; false when it cannot be kept. */
export const create = ({ offline }: Browser, content: string): Promise<boolean> =>
  offline.offlineFallback.queue(pastes.create, { body: { content } });

/** The texts of the changes that wait. */
export const contents = ({ offline }: Browser): string[] =>
  offline.changes.get().map(({ data }) => (data as { content: string }).content);

type Heard = Parameters<Browser["offline"]["offlineFallback"]["recordAnswer"]>;

/** The answer to who opens an open share, and what they asked. */
export const opened = { slug: "abc", hasPassword: false, maxViews: 0, views: 1, viewsLeft: null, content: "kept" };
export const abc = { params: { slug: "abc" }, query: { peek: "1" } };

/** A row of a list of texts. */
export const row = (slug: string, created_at: string, has_password = 0) => ({
  slug,
  created_at,
  has_password,
  max_views: 0,
});

/** Hears an answer and lets it reach the database. */
export async function hear({ offline }: Browser, ...answer: Heard): Promise<void> {
  offline.offlineFallback.recordAnswer(...answer);
  // Its turn comes after that.
  await offline.attend();
}
