/** Numbers of this process in the text format of Prometheus ("Text-based format", version 0.0.4). */

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** A number that only grows. Labels are of few values: each set of them is kept for ever. */
interface Counter<Labels extends readonly string[]> {
  add(amount: number, ...labels: Labels): void;
}

/** How often something took how long. */
interface Histogram<Labels extends readonly string[]> {
  /** Seconds. */
  observe(seconds: number, ...labels: Labels): void;
}

/** The name of each label. */
type Names<Labels extends readonly string[]> = { readonly [Index in keyof Labels]: string };

/** What stands before the numbers of a name. */
interface Described {
  readonly name: string;
  readonly help: string;
}

interface Counts {
  /** One for each bound, and one for what is beyond the last. */
  readonly buckets: number[];
  sum: number;
}

const escaped = (text: string): string => text.replace(/\\/g, "\\\\").replace(/\n/g, "\\n");

const head = ({ name, help }: Described, type: string): string =>
  `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n`;

/** Labels with their values as they stand behind a name; empty without any. */
function labelled(names: readonly string[], values: readonly string[]): string {
  const pairs = names.map((name, index) => `${name}="${escaped(values[index] ?? "").replace(/"/g, '\\"')}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

export function createRegistry() {
  const families: (() => string | Promise<string>)[] = [];

  return {
    counter<Labels extends readonly string[]>(what: Described, names: Names<Labels>): Counter<Labels> {
      const series = new Map<string, number>();
      families.push(() => head(what, "counter") + [...series].map(([of, n]) => `${what.name}${of} ${n}\n`).join(""));
      const keys = createKeys(names);
      return {
        add(amount, ...labels) {
          const key = keys(labels);
          series.set(key, (series.get(key) ?? 0) + amount);
        },
      };
    },

    /** `bounds` are seconds, in order. */
    histogram<Labels extends readonly string[]>(
      what: Described,
      names: Names<Labels>,
      bounds: readonly number[],
    ): Histogram<Labels> {
      const { name } = what;
      const series = new Map<string, Counts>();
      const lines = ([of, { buckets, sum }]: [string, Counts]): string => {
        let count = 0;
        const upTo = (bound: number | "+Inf", index: number): string => {
          count += buckets[index] ?? 0;
          return `${name}_bucket${of === "" ? "{" : `${of.slice(0, -1)},`}le="${bound}"} ${count}\n`;
        };
        const counted = [...bounds, "+Inf" as const].map(upTo).join("");
        return `${counted}${name}_sum${of} ${sum}\n${name}_count${of} ${count}\n`;
      };
      families.push(() => head(what, "histogram") + [...series].map(lines).join(""));
      const keys = createKeys(names);
      return {
        observe(seconds, ...labels) {
          const key = keys(labels);
          const counts = series.get(key) ?? { buckets: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0 };
          const found = bounds.findIndex((bound) => seconds <= bound);
          const index = found < 0 ? bounds.length : found;
          counts.buckets[index] = (counts.buckets[index] ?? 0) + 1;
          counts.sum += seconds;
          series.set(key, counts);
        },
      };
    },

    /** A number that is read whenever the text is: by the value of its label, or one without any. */
    gauge: (what: Described, read: ReadNumbers, label = ""): void => {
      families.push(async () => head(what, "gauge") + linesOf(what, await read(), label));
    },

    /** As a gauge, for a number that only grows while this server runs. */
    total: (what: Described, read: ReadNumbers, label = ""): void => {
      families.push(async () => head(what, "counter") + linesOf(what, await read(), label));
    },

    /** All numbers; those that cannot be read now are left out, and `failed` is told why. */
    async text(failed: (error: unknown) => void): Promise<string> {
      const read = await Promise.allSettled(families.map(async (family) => await family()));
      for (const one of read) if (one.status === "rejected") failed(one.reason);
      return read.map((one) => (one.status === "fulfilled" ? one.value : "")).join("");
    },
  };
}

/** What stands behind the name for the values of labels, made once for each set of them. */
function createKeys(names: readonly string[]): (values: readonly string[]) => string {
  const known = new Map<string, string>();
  return (values) => {
    const joined = values.join("\n");
    let key = known.get(joined);
    if (key === undefined) {
      key = labelled(names, values);
      known.set(joined, key);
    }
    return key;
  };
}

type ReadNumbers = () => number | Promise<number | ReadonlyMap<string, number>>;

function linesOf({ name }: Described, found: number | ReadonlyMap<string, number>, label: string): string {
  const series = typeof found === "number" ? [["", found] as const] : [...found];
  return series
    .map(([value, number]) => `${name}${label === "" ? "" : labelled([label], [value])} ${number}\n`)
    .join("");
}
