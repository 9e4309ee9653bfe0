export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  /** Writes what is still held back; call before the process ends. */
  flush(): void;
}

const HELD_LINES = 256;
const HELD_MILLISECONDS = 100;

/**
 * One JSON object per line. Lines are held back for at most 100 ms and written together, because a write per request costs
 * more than answering it; warnings and errors go out at once.
 */
export function createLog(level: LogLevel, write: (text: string) => void): Log {
  const threshold = logLevels.indexOf(level);
  let held: string[] = [];
  let timer: Timer | undefined;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (held.length === 0) return;
    const text = held.join("");
    held = [];
    write(text);
  };

  const line = (name: LogLevel, urgent: boolean) => {
    if (logLevels.indexOf(name) < threshold) return () => undefined;
    return (event: string, fields: LogFields = {}) => {
      held.push(`${JSON.stringify({ time: new Date().toISOString(), level: name, event, ...fields })}\n`);
      if (urgent || held.length >= HELD_LINES) return flush();
      timer ??= setTimeout(flush, HELD_MILLISECONDS);
    };
  };

  return {
    debug: line("debug", false),
    info: line("info", false),
    warn: line("warn", true),
    error: line("error", true),
    flush,
  };
}
