/** Things that are written without a pause: a few milliseconds. */
const SLICE = 2000;

/** What is answered, beside a list that comes last in its `data`. */
interface LongList<Item> {
  readonly data: Readonly<Record<string, unknown>>;
  readonly name: string;
  readonly items: readonly Item[];
  /** An item as it leaves. */
  readonly shown: (item: Item) => unknown;
}

/** An answer in the envelope with a list of very many things, written slice by slice, so that others have their turn. */
export function longList<Item>({ data, name, items, shown }: LongList<Item>): Response {
  const head = JSON.stringify({ code: 200, message: "OK", success: true, data: { ...data, [name]: [] } });
  const encoder = new TextEncoder();
  let [at, before] = [0, head.slice(0, -"]}}".length)];
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const some = items.slice(at, at + SLICE).map(shown);
      at += SLICE;
      const text = before + JSON.stringify(some).slice(1, -1);
      before = ",";
      const isLast = at >= items.length;
      controller.enqueue(encoder.encode(isLast ? `${text}]}}` : text));
      if (isLast) controller.close();
      else await new Promise(setImmediate);
    },
  });
  return new Response(body, {
    headers: { "content-type": "application/json;charset=utf-8", "cache-control": "no-store" },
  });
}
