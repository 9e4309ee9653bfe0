/** Sends a file by PUT; answers the seconds it took. */
export const upload = (url: string, file: string) =>
  curl("-T", file, "-H", "Content-Type: application/octet-stream", "-H", "Expect:", url);

/** Fetches and forgets; answers the seconds it took. */
export const download = (url: string) => curl(url);

/** Runs curl without its output; answers the seconds it took. */
export async function curl(...options: string[]): Promise<number> {
  const format = "%{http_code} %{time_total}";
  const child = Bun.spawn(["curl", "-sS", "-o", "/dev/null", "-w", format, ...options], { stdout: "pipe" });
  const [code, seconds] = (await new Response(child.stdout).text()).split(" ");
  if (code !== "200") throw new Error(`curl was answered ${code}`);
  return Number(seconds);
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
