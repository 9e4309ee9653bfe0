import { readdirSync, readFileSync } from "node:fs";
import { FOLDER } from "#contract/providers";
import { signIn } from "../support/clients/sign-in.ts";
import { startServer } from "../support/server.ts";

/**
 * `bun test/bench/folder-million.ts FOLDER`: how a server begins with a folder of the machine that holds very much: the first lists, the
 * index behind them, and the memory of it. Nothing here fails.
 */
const [root = "", large = ""] = process.argv.slice(2);
const LOOK_EVERY = 2000;
const say = (line: string) => process.stdout.write(`${line}\n`);
const timed = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
  const began = performance.now();
  const result = await work();
  say(`${what}: ${(performance.now() - began).toFixed(0)} ms`);
  return result;
};

await using server = await startServer({ environment: { FOLDERS: `${root}:many` } });
const memory = (name: "VmHWM" | "VmRSS"): string =>
  `${Math.round(Number(new RegExp(`${name}:\\s*(\\d+)`).exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1]) / 1024)} MiB`;
let authorization = "";
const call = async <Data>(method: string, path: string, body?: unknown): Promise<Data> => {
  const response = await fetch(server.address + path, {
    method,
    headers: { authorization },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const { data, message } = (await response.json()) as { data: Data; message: string };
  if (!response.ok) throw new Error(message);
  return data;
};
interface Listed {
  readonly items: readonly unknown[];
}
authorization = `Bearer ${await signIn(server.address, server.adminPassword)}`;
const storage = { name: "Many", provider_type: FOLDER, bucket_name: "many", is_public: true };
const { id } = await call<{ id: string }>("POST", "/api/s3-configs", storage);
say(`idle: ${memory("VmRSS")}`);
const mount = { name: "Many", storage_type: "S3", storage_config_id: id, mount_path: "/many" };
const { id: mounted } = await call<{ id: string }>("POST", "/api/admin/mounts", mount);
const began = performance.now();
await timed("first list of the root", () => call<Listed>("GET", "/api/fs/list?path=/many"));
await timed(`the system alone reads ${large}`, async () => readdirSync(`${root}/${large}`, { withFileTypes: true }));
await timed(`first 200 of ${large}`, () => call<Listed>("GET", `/api/fs/list?path=/many/${large}&limit=200`));
for (let looks = 0; ; looks++) {
  const { indexing } = await call<{ indexing?: number }>("GET", `/api/admin/mounts/${mounted}`);
  if (looks % 10 === 0)
    say(`${((performance.now() - began) / 1000).toFixed(0)} s: ${indexing ?? "all"} names, ${memory("VmHWM")} at most`);
  if (indexing === undefined) break;
  await Bun.sleep(LOOK_EVERY);
}
say(`index: ${((performance.now() - began) / 1000).toFixed(0)} s, ${memory("VmHWM")} at most`);
const whole = await timed(`all of ${large}`, () => call<Listed>("GET", `/api/fs/list?path=/many/${large}`));
say(`${whole.items.length} items, ${memory("VmHWM")} at most`);
await timed("a search", () => call("GET", "/api/fs/search?q=scan%20199"));
