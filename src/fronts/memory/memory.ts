import { Failure } from "#contract/failures";
import { takeText } from "../../lib/counting.ts";
import { type Coding, codingOf, LEAST_PACKED, packedText } from "../../lib/packing.ts";
import type { Transfers } from "../../transfers/transfers.ts";
import { createAnswerFiles, inPieces } from "./answer-files.ts";
import { createBounds, SHARE, TOTAL } from "./bound.ts";
import { type Lease, RequestLease } from "./request-memory.ts";

/** Bytes of an answer that may be held in memory while its reader takes its time. */
const HELD_ANSWER = 256 * 1024;
/** Bytes of an answer that goes by way of a file whatever it has. */
const LONGEST_ANSWER = 256 * 1024 * 1024;
/** How long a reader may read nothing before its connection is closed, in milliseconds. */
const LONGEST_PAUSE = 255_000;

interface MemoryOptions {
  readonly temporary: Transfers["temporary"];
  /** Bytes; for tests. */
  readonly total?: number;
  readonly share?: number;
  /** Milliseconds; for tests. */
  readonly elapsed?: () => number;
}

/** Who gets an answer: from where it asks, and its Accept-Encoding. */
interface Reader {
  readonly address: string;
  readonly accepted: string | null;
}

/** An answer that is too long for memory. */
interface LongText {
  readonly text: string;
  readonly bytes: number;
  readonly coding: Coding | undefined;
  readonly address: string;
}

/**
 * The one bound of what requests hold in memory. Connections are cheap, so whatever grows with a request either takes its bytes here
 * or lies on the disk.
 */
export function createMemory({
  temporary,
  total = TOTAL,
  share = SHARE,
  elapsed = () => performance.now(),
}: MemoryOptions) {
  const bounds = createBounds(total, share, elapsed);
  const filed = createAnswerFiles(temporary);

  const byFile = async (make: () => Response, coding: Coding | undefined): Promise<Response> => {
    const response = make();
    try {
      return await filed(response.body ?? new Blob().stream(), response, { coding, limit: LONGEST_ANSWER });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return make();
    }
  };

  const open = (address: string, accepted: string | null = null): Lease =>
    new RequestLease({ bounds, temporary, byFile }, address, accepted);

  /** Holds a text in memory because the disk is full, for as long as its reader may take. 503 server.busy. */
  const holdText = async (response: Response, bytes: number, address: string): Promise<Response> => {
    const lease = open(address);
    try {
      await lease.takeLong(bytes);
    } catch (error) {
      // Of two bounds it may have taken its part of one.
      lease.release();
      throw error;
    }
    setTimeout(() => lease.release(), LONGEST_PAUSE).unref();
    return response;
  };

  const settleLong = async (response: Response, { text, bytes, coding, address }: LongText): Promise<Response> => {
    try {
      // Written by Bun in one piece, it would be there three times.
      return await filed(inPieces(text), response, { coding, limit: bytes });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return await holdText(response, bytes, address);
    }
  };

  return {
    open,

    /**
     * An answer as it may wait for its reader: compressed where it may be; a long text goes to a temporary file, from which the system sends it. 503
     * server.busy where neither the disk nor the memory has room.
     */
    settle(response: Response, { address, accepted }: Reader): Promise<Response> | Response {
      const held = takeText(response);
      if (held === undefined) return response;
      const { text, bytes, isPackable } = held;
      const coding = isPackable && bytes >= LEAST_PACKED ? codingOf(accepted) : undefined;
      if (bytes > HELD_ANSWER) return settleLong(response, { text, bytes, coding, address });
      return coding ? packedText(text, response, coding) : response;
    },
  };
}
