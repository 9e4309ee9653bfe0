/** Below those that a system gives to whoever asks for any port (32768 on Linux), so that none of these goes to somebody else. */
const OUR_PORTS = { first: 10_000, count: 10_000 };

/** A port that was free a moment ago. */
export function freePort(): number {
  for (;;) {
    const port = OUR_PORTS.first + Math.floor(Math.random() * OUR_PORTS.count);
    try {
      Bun.listen({ hostname: "127.0.0.1", port, socket: { data: () => undefined } }).stop(true);
      return port;
    } catch (error) {
      if ((error as { code?: string }).code !== "EADDRINUSE") throw error;
    }
  }
}
