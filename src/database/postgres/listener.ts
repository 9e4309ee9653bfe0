import type { SQL } from "bun";
import type { Connect } from "./connect.ts";
import { translated } from "./errors.ts";

/** Listens to channels, on a connection of its own that answers within so many milliseconds. */
export function createListener(connect: Connect, silence: number) {
  let listener: SQL | undefined;

  const stop = async (): Promise<void> => {
    const old = listener;
    listener = undefined;
    await old?.close({ timeout: 0 });
  };

  return {
    stop,

    /**
     * Listens to a channel. Throws when it cannot. Called again it does nothing, or makes a new connection when
     * that one was lost; `onNotify` is called then as well.
     */
    async listen(channel: string, onNotify: () => void): Promise<void> {
      if (listener) return;
      // Bun would try again by itself, at ever longer intervals and with lines of its own on the error output.
      const lost = () => void (listener === client && stop());
      const client = connect(1, lost);
      listener = client;
      // The connection may stand, and its answer never come.
      const overdue = setTimeout(lost, silence);
      try {
        await client.listen(channel, onNotify, onNotify);
      } catch (error) {
        lost();
        throw translated(error);
      } finally {
        clearTimeout(overdue);
      }
    },
  };
}
