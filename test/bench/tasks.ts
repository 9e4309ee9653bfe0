/** What a browser has to be told to trace for `tasksOf`. */
export const traced = { categories: ["devtools.timeline", "disabled-by-default-devtools.timeline", "toplevel"] };

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of the thread's own processor time. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Milliseconds of processor that tasks of the page's thread took, the longest first: other programs do not count. */
export function tasksOf(trace: Buffer): number[] {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const main = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  return traceEvents
    .filter(({ name, pid, tid }) => /RunTask$/.test(name) && main.has(`${pid} ${tid}`))
    .map(({ tdur = 0 }) => Math.round(tdur / 1000))
    .sort((a, b) => b - a);
}
