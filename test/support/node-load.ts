import type { Nodes } from "./nodes.ts";

export const json = (body: unknown): RequestInit => ({ method: "POST", body: JSON.stringify(body) });

export const dataOf = async <Data>(response: Response): Promise<Data> =>
  ((await response.json()) as { data: Data }).data;

export interface Job {
  readonly id: string;
  readonly state: string;
  readonly done_files: number;
}

/** What servers have answered as done. */
export interface Acknowledged {
  /** By slug. */
  readonly texts: Map<string, string>;
  /** By path. */
  readonly files: Map<string, string>;
  /** From where to where. */
  readonly renamed: Map<string, string>;
  /** By id: what is copied where to. */
  readonly jobs: Map<string, readonly [target: string, text: string]>;
}

/** The answer, or undefined when the connection was lost under it, as when its server is killed. */
async function orLost(asking: Promise<Response>): Promise<Response | undefined> {
  try {
    const response = await asking;
    return new Response(await response.arrayBuffer(), { status: response.status });
  } catch {
    return undefined;
  }
}

/** What one client does, one after the other, as long as it may; what was answered as done is noted. */
export async function work({ call }: Nodes, name: string, done: Acknowledged, mayGoOn: () => boolean): Promise<void> {
  for (let count = 0; mayGoOn(); count++) {
    const id = `${name}-${count}`;
    const text = await orLost(call("/api/paste", json({ content: `text ${id}`, slug: id })));
    if (text?.status === 201) done.texts.set(id, `text ${id}`);
    const from = `/drive/load/${id}.txt`;
    const written = await orLost(call(`/dav${from}`, { method: "PUT", body: `file ${id}` }));
    if (written?.status !== 201) continue;
    if (count % 3 === 0) {
      const to = `/drive/load/${id}-renamed.txt`;
      const moved = await orLost(call("/api/fs/rename", json({ oldPath: from, newPath: to })));
      if (moved?.status !== 200) continue;
      done.renamed.set(from, to);
      done.files.set(to, `file ${id}`);
      continue;
    }
    done.files.set(from, `file ${id}`);
    if (count % 3 === 1) {
      const target = `/drive/copies/${id}.txt`;
      const job = await orLost(call("/api/fs/jobs", json({ tasks: [{ kind: "copy", source: from, target }] })));
      if (job?.ok) done.jobs.set((await dataOf<Job>(job)).id, [target, `file ${id}`]);
    }
  }
}
