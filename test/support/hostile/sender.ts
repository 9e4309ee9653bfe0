import type { Socket } from "bun";
import { Answers, type HostileAnswer } from "./answers.ts";
import type { HostileRequest } from "./requests.ts";

/** What became of a request. */
export interface Outcome {
  readonly answers: readonly HostileAnswer[];
  /** Bytes behind the answers that are no answer. */
  readonly rest: number;
  /** Whether the connection is over. */
  readonly closed: boolean;
  /** The request that went over the same connection before; undefined for the first. */
  readonly before: HostileRequest | undefined;
  /** Milliseconds until the outcome was clear. */
  readonly took: number;
}

interface Line {
  readonly socket: Socket<undefined>;
  take: (bytes: Buffer) => void;
  gone: () => void;
  closed: boolean;
  /** Bytes that the system has not taken yet. */
  unsent: Buffer;
}

/** How long an answer may take, in milliseconds; one that takes longer is none. */
const PATIENCE = 60_000;
/** How long a server may be silent about bytes that are no sound request, before the sender ends them. */
const SILENCE = 150;

const nothing = () => undefined;

/** A client that sends requests one after the other, on one connection as long as the server keeps it. */
export function createSender(port: number) {
  let line: Line | undefined;
  let before: HostileRequest | undefined;

  const open = async (): Promise<Line> => {
    const made: { line?: Line } = {};
    const flush = (one: Line) => {
      const written = one.socket.write(one.unsent);
      one.unsent = one.unsent.subarray(Math.max(0, written));
    };
    const close = () => {
      if (!made.line) return;
      made.line.closed = true;
      made.line.gone();
    };
    const socket = await Bun.connect({
      hostname: "127.0.0.1",
      port,
      socket: {
        data: (_, bytes) => made.line?.take(bytes),
        drain: () => {
          if (made.line && made.line.unsent.length > 0) flush(made.line);
        },
        close,
        error: close,
      },
    });
    made.line = { socket, take: nothing, gone: nothing, closed: false, unsent: Buffer.alloc(0) };
    return made.line;
  };

  const exchange = async (on: Line, { bytes, method, after }: HostileRequest): Promise<Omit<Outcome, "before">> => {
    const began = performance.now();
    const answers = new Answers(method);
    const settled = Promise.withResolvers<void>();
    let silence: Timer | undefined;
    const listen = () => {
      clearTimeout(silence);
      if (after === "settle") silence = setTimeout(settled.resolve, SILENCE);
    };
    on.gone = settled.resolve;
    on.take = (arrived) => {
      answers.take(arrived);
      listen();
      if (after === "keep" && answers.complete) settled.resolve();
    };
    const patience = setTimeout(settled.resolve, PATIENCE);
    on.unsent = bytes;
    on.unsent = bytes.subarray(Math.max(0, on.socket.write(bytes)));
    listen();
    if (after === "reset") on.socket.terminate();
    if (after === "end") on.socket.end();
    if (after === "reset" || after === "end") settled.resolve();
    await settled.promise;
    clearTimeout(patience);
    clearTimeout(silence);
    answers.end();
    return { answers: answers.found, rest: answers.rest, closed: on.closed, took: performance.now() - began };
  };

  return {
    async send(request: HostileRequest): Promise<Outcome> {
      if (!line || line.closed || request.after !== "keep") {
        line?.socket.terminate();
        line = await open();
        before = undefined;
      }
      const outcome = { ...(await exchange(line, request)), before };
      before = request;
      const { answers, rest } = outcome;
      const [answer] = answers;
      const kept = request.after === "keep" && answer?.headers.get("connection")?.toLowerCase() !== "close";
      const reusable = kept && answers.length === 1 && rest === 0 && !answer?.endless;
      if (!reusable) {
        line.socket.terminate();
        line = undefined;
      }
      return outcome;
    },
    close: () => line?.socket.terminate(),
  };
}
