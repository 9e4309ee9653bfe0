export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** One answered request. Paths carry no query, where passwords and grants travel. */
interface AnsweredRequest {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** `performance.now()` when the request arrived. */
  readonly began: number;
  readonly address: string;
}

export interface Log {
  /** At level info. */
  request(answered: AnsweredRequest): void;
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  /** Writes buffered lines; call before the process ends. */
  flush(): void;
}

/** The present as ISO 8601, formatted once per millisecond. */
function createTimestamp(): () => string {
  let instant = 0;
  let text = "";
  return () => {
    const present = Date.now();
    if (present !== instant) {
      instant = present;
      text = new Date(present).toISOString();
    }
    return text;
  };
}

/** What stands in JSON as it is: printable ASCII without the quote and the backslash. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** A text as JSON writes it; nearly every path and address needs no escapes, and looking for them costs less than writing them. */
const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text));

const HELD_LINES = 256;
const HELD_MILLISECONDS = 100;

/** A request whose line is not written yet: those of many are made in one go in a third of the time. */
interface HeldRequest {
  readonly answered: AnsweredRequest;
  readonly time: string;
  /** `performance.now()` when it was answered. */
  readonly ended: number;
}

/** Written by hand: there is one of each request. */
function lineOf({ answered, time, ended }: HeldRequest): string {
  const { requestId, method, path, status, began, address } = answered;
  const took = Math.round((ended - began) * 100) / 100;
  return `{"time":"${time}","level":"info","event":"request","request":"${requestId}","method":"${method}","path":${quoted(path)},"status":${status},"milliseconds":${took},"address":${quoted(address)}}\n`;
}

/**
 * One JSON object per line. Lines are held back for at most 100 ms and written together, because a write per request costs
 * more than answering it; warnings and errors go out at once.
 */
export function createLog(level: LogLevel, write: (text: string) => void): Log {
  const threshold = logLevels.indexOf(level);
  const now = createTimestamp();
  let held: (string | HeldRequest)[] = [];
  let timer: Timer | undefined;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (held.length === 0) return;
    const text = held.map((one) => (typeof one === "string" ? one : lineOf(one))).join("");
    held = [];
    write(text);
  };

  const line = (name: LogLevel, urgent: boolean) => {
    if (logLevels.indexOf(name) < threshold) return () => undefined;
    return (event: string, fields: LogFields = {}) => {
      hold(`${JSON.stringify({ time: now(), level: name, event, ...fields })}\n`);
      if (urgent) flush();
    };
  };

  const hold = (one: string | HeldRequest) => {
    held.push(one);
    if (held.length >= HELD_LINES) return flush();
    timer ??= setTimeout(flush, HELD_MILLISECONDS);
  };

  const request = (answered: AnsweredRequest) => hold({ answered, time: now(), ended: performance.now() });

  return {
    request: threshold <= logLevels.indexOf("info") ? request : () => undefined,
    debug: line("debug", false),
    info: line("info", false),
    warn: line("warn", true),
    error: line("error", true),
    flush,
  };
}

/** Logs an error that nobody handles, as far as it can be logged; `fields` say where it came up. */
export const logUnhandled = (log: Pick<Log, "error">, error: unknown, fields: LogFields = {}): void =>
  log.error("unhandled error", { ...fields, ...unforeseen(error) });

const LONGEST = 300;

/**
 * Returns the loggable part of an unexpected error: its kind and origin, without the values it quotes. Parsers and
 * validators quote their input, which users sent or stored. So only the first line of the message stays, without
 * quoted texts, and of the stack only the locations.
 */
export function unforeseen(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: typeof error };
  const [line = ""] = error.message.split("\n");
  // A quote behind a backslash belongs to the text.
  const said = line.replace(/"(?:[^"\\]|\\.?)*("|$)/g, '"…"').slice(0, LONGEST);
  const places = error.stack?.split("\n").filter((entry) => /^\s+at /.test(entry));
  return { error: `${error.name}: ${said}`, stack: places?.join("\n") };
}
