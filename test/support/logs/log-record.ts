import { appendFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Connections } from "../../../src/fronts/unread.ts";
import { root } from "../sources.ts";
import { secretsOfBody, secretsOfHeaders, secretsOfUrl } from "./secrets.ts";

/** What a house or a process logged, and the secrets that it was told meanwhile. */
export interface LogRecord {
  /** The test file. */
  readonly from: string;
  readonly log: string;
  readonly secrets: readonly string[];
}

/** One request as whoever sent it knows it. */
export interface SentRequest {
  readonly url: string;
  readonly headers: Headers;
  readonly body?: unknown;
}

interface Protocol {
  fetch(request: Request, peer: string, connections: Connections): Promise<Response>;
}

/** Where test/run.ts collects the logs of a whole run; a test that somebody runs by itself leaves none. */
const folder = process.env.SATCHEL_TEST_LOGS;

const MAX_READ = 64 * 1024;

/** Notes what one house or process logs and is told, for logs.test.ts to hold against each other. */
export function recordLog() {
  const secrets = new Set<string>();
  const unread: Promise<void>[] = [];
  const add = (found: readonly string[]) => {
    for (const text of found) secrets.add(text);
  };

  const sent = ({ url, headers, body }: SentRequest) => {
    add([...secretsOfUrl(url), ...secretsOfHeaders(headers)]);
    if (typeof body === "string" && body.length < MAX_READ) add(secretsOfBody(body));
    if (body instanceof FormData) for (const [name, value] of body) if (name === "password") add([String(value)]);
  };

  const read = (message: Request | Response) => {
    // A body that is cut off tells no whole secret.
    unread.push(
      message.text().then(
        (text) => add(secretsOfBody(text)),
        () => undefined,
      ),
    );
  };

  const watched = async (protocol: Protocol, request: Request, ...rest: [peer: string, connections: Connections]) => {
    sent(request);
    if (isSmallJson(request.headers)) read(request.clone());
    const response = await protocol.fetch(request, ...rest);
    if (response.headers.get("content-type")?.startsWith("application/json")) read(response.clone());
    return response;
  };

  return {
    secret: (text: string | undefined) => add(text ? [text] : []),
    sent: folder ? sent : () => undefined,
    /** The JSON of an answer. */
    told: (text: string) => add(folder ? secretsOfBody(text) : []),
    /** The same log, with a listener. */
    listenAt: <D extends Protocol>(protocol: D): D =>
      folder ? { ...protocol, fetch: (request, ...rest) => watched(protocol, request, ...rest) } : protocol,
    /** Leaves what was logged, at the end. */
    async keep(log: string): Promise<void> {
      if (!folder) return;
      await Promise.all(unread);
      const record: LogRecord = { from: relative(root, Bun.main), log, secrets: [...secrets] };
      appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(record)}\n`);
    },
  };
}

/** Reports whether a body that came over a connection may be read by somebody else as well without holding it up. */
const isSmallJson = (headers: Headers): boolean =>
  Number(headers.get("content-length") ?? MAX_READ) < MAX_READ &&
  /^(application\/json|text\/plain)?(;|$)/.test(headers.get("content-type") ?? "");
