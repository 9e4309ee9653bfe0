/** How long something kept the event loop from everything else, at a time: milliseconds. */
export interface Pause {
  /** By the clock: with the waits for the disk, and for other processes where the machine is shared. */
  readonly longest: number;
  /** Of the processor alone. */
  readonly busiest: number;
}

const cpu = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** Runs a task and looks each millisecond whether the event loop is free. */
export async function measured(task: () => Promise<unknown>): Promise<Pause & { readonly took: number }> {
  const began = performance.now();
  let [longest, busiest] = [0, 0];
  let last = { at: began, cpu: cpu() };
  const look = () => {
    const now = { at: performance.now(), cpu: cpu() };
    longest = Math.max(longest, now.at - last.at);
    busiest = Math.max(busiest, now.cpu - last.cpu);
    last = now;
  };
  const watching = setInterval(look, 1);
  await task();
  look();
  clearInterval(watching);
  return { took: performance.now() - began, longest, busiest };
}

export const longestOf = (pauses: readonly Pause[]): Pause => ({
  longest: Math.max(...pauses.map(({ longest }) => longest)),
  busiest: Math.max(...pauses.map(({ busiest }) => busiest)),
});

/** A pause in words. */
export const told = ({ longest, busiest }: Pause): string =>
  `${longest.toFixed(1)} ms at most, ${busiest.toFixed(1)} ms of the processor`;
