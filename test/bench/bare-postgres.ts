import { type ReservedSQL, SQL } from "bun";

/**
 * What the runtime alone can do with PostgreSQL: for each path the statements that a call of ours sends, as they were recorded, and nothing
 * else. Says when it is ready.
 */

/** What is sent together: one statement by itself, or a transaction. */
export interface Sent {
  readonly isolation: string | undefined;
  readonly statements: readonly { readonly text: string; readonly parameters: readonly string[] }[];
}

export interface Replay {
  readonly url: string;
  readonly connections: number;
  readonly calls: Readonly<Record<string, { readonly sent: readonly Sent[]; readonly fresh: readonly string[] }>>;
}

const { url, connections, calls } = JSON.parse(await Bun.file(process.argv[2] ?? "").text()) as Replay;
const sql = new SQL({ url, adapter: "postgres", database: new URL(url).pathname.slice(1), max: connections });

const templateOf = (text: string) =>
  Object.defineProperty([text], "raw", { value: [text] }) as unknown as TemplateStringsArray;
const [begin, commit] = [templateOf("begin"), templateOf("commit")];
const serializable = templateOf("set transaction isolation level serializable");

const ask = (client: SQL, { text, parameters }: Sent["statements"][number]) =>
  parameters.length === 0 ? client(templateOf(text)) : client.unsafe(text, [...parameters]);

async function transact(client: ReservedSQL, { isolation, statements }: Sent): Promise<unknown> {
  const answers = await Promise.all([
    client(begin),
    ...(isolation === "serializable" ? [client(serializable)] : []),
    ...statements.map((one) => ask(client, one)),
    client(commit),
  ]);
  return answers.at(-2);
}

async function send(one: Sent): Promise<unknown> {
  const [first] = one.statements;
  if (one.isolation === undefined) return first && (await ask(sql, first));
  const client = await sql.reserve();
  try {
    return await transact(client, one);
  } finally {
    client.release();
  }
}

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    if (request.method === "POST") await request.json();
    const { sent, fresh } = calls[new URL(request.url).pathname] ?? { sent: [], fresh: [] };
    // What must be unique is another one with each request.
    const names = new Map(fresh.map((before) => [before, Bun.randomUUIDv7()]));
    const renewed = (values: readonly string[]) => values.map((value) => names.get(value) ?? value);
    let answer: unknown = [];
    for (const one of sent) {
      const statements = one.statements.map(({ text, parameters }) => ({ text, parameters: renewed(parameters) }));
      answer = await send({ ...one, statements });
    }
    return Response.json(answer);
  },
});
process.stderr.write(`Bare is ready: ${server.url.origin}\n`);
