import { request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { READY_PATIENCE } from "#contract/limits";
import { system } from "#contract/system";
import type { Config } from "../config.ts";

/** Milliseconds until a server that does not answer counts as not ready. It may ask its database and then its storage. */
const PATIENCE = 2 * READY_PATIENCE + 2000;

/**
 * Asks the server that listens as the configuration says whether it is ready. Throws a sentence when it is not or does not answer
 * within a few seconds.
 */
export async function healthcheck(config: Config): Promise<void> {
  if (config.socket === undefined && config.port === 0) throw new Error("PORT is 0, so nobody knows where it listens.");
  const { status, text } = await ask(config);
  if (status === 200) return;
  const failing = /"failing":\[([^\]]*)\]/.exec(text)?.[1]?.replaceAll('"', "").replaceAll(",", ", ");
  throw new Error(failing ? `The server is not ready: ${failing}.` : `The answer was ${status}, as of no Satchel.`);
}

/** Not by fetch, which would ask the proxy that the environment names. */
function ask({ host, port, socket, tls, basePath }: Config): Promise<{ status: number | undefined; text: string }> {
  const where = socket === undefined ? { host: ownAddress(host), port } : { socketPath: socket };
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number | undefined; text: string }>();
  const request = (tls ? requestSecure : requestPlain)(
    // A certificate is for the name that people use, and this is the same machine.
    { ...where, path: `${basePath}/api${system.ready.path}`, timeout: PATIENCE, rejectUnauthorized: false },
    (response) => {
      const reading = new Response(response as never).text();
      reading.then((text) => resolve({ status: response.statusCode, text }), reject);
    },
  );
  const fail = (why: string) => reject(new Error(`Nothing answers at ${socket ?? `${where.host}:${port}`}: ${why}.`));
  request.on("timeout", () => request.destroy(new Error("it took too long")));
  request.on("error", (error) => fail(error.message));
  request.end();
  return promise;
}

/** This machine's own address of a server that listens on every one. */
const ownAddress = (host: string): string =>
  ({ "0.0.0.0": "127.0.0.1", "::": "::1", "[::]": "::1" })[host] ?? host.replace(/^\[(.*)\]$/, "$1");
