import { Failure } from "#contract/failures";
import { imports as api, type ImportEvent, type ImportKind, type PrivateTexts } from "#contract/imports";
import { MAX_IMPORT_BYTES } from "#contract/limits";
import { sentence } from "#contract/messages/sentence";
import type { Caller } from "../../../access/principal.ts";
import type { House } from "../../../house.ts";
import type { RequestContext } from "../../context.ts";
import type { Bind } from "../bind.ts";
import { languageOf, toFailure } from "../failures.ts";

type Rooms = Pick<House, "imports" | "log"> & { readonly access: Pick<House["access"], "callers"> };

/** The import of backups over REST. */
export function bindImports(bind: Bind, { imports, access: { callers }, log }: Rooms): void {
  bind(api.plan, async ({ query, request, context, principal }) => {
    await using file = await received(request, context);
    const report = await imports.plan(file.path, { ...optionsOf(query, principal), signal: request.signal });
    return { data: report.read(languageOf(request.headers)) };
  });

  bind(api.run, async ({ query, request, context, principal }) => {
    const file = await received(request, context);
    const language = languageOf(request.headers);
    const gone = new AbortController();
    const work = async (tell: (event: ImportEvent) => void): Promise<void> => {
      await using _ = file;
      const progress = (kind: ImportKind, rows: number) => tell({ progress: { kind, rows } });
      try {
        const report = await imports.run(file.path, {
          ...optionsOf(query, principal),
          signal: gone.signal,
          progress,
        });
        tell({ report: report.read(language) });
      } catch (error) {
        if (gone.signal.aborted) return;
        const failure = toFailure(error, context.requestId, log);
        tell({ failure: { error: failure.code, message: sentence(failure, language) } });
      }
    };
    return new Response(
      eventLines(work, () => gone.abort()),
      {
        headers: { "content-type": "application/x-ndjson", "cache-control": "no-store", "x-accel-buffering": "no" },
      },
    );
  });

  const optionsOf = ({ private_texts: privateTexts }: { private_texts: PrivateTexts }, principal: Caller) => ({
    // Of other programs the files are needed, too.
    from: "cloudpaste" as const,
    privateTexts,
    recheck: async () => void (await callers.now(principal)),
  });
}

/** The body of a request in a temporary file. 413 body.tooLarge, 507 storage.full; 400 body.malformed for a cut one. */
async function received(request: Request, { length, memory, hold }: RequestContext) {
  const limit = MAX_IMPORT_BYTES;
  if (length !== undefined && length > limit) throw new Failure("body.tooLarge", { limit });
  hold();
  try {
    const file = await memory.temporary(request, { length, limit, signal: request.signal });
    if (length === undefined || file.size === length) return file;
    await file[Symbol.asyncDispose]();
  } catch (error) {
    if (error instanceof Failure || !request.signal.aborted) throw error;
  }
  throw new Failure("body.malformed");
}

/** Milliseconds between two lines of progress at least, and without a byte at most: proxies close silent connections. */
const [SPACING, SILENCE] = [200, 15_000];

/** Lines of JSON while some work goes on, and an empty one now and then. Whoever goes away before its end has it stopped. */
function eventLines(
  work: (tell: (event: ImportEvent) => void) => Promise<void>,
  stop: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let keepAlive: ReturnType<typeof setInterval> | undefined;
  let isOpen = true;
  const end = (): void => {
    isOpen = false;
    clearInterval(keepAlive);
  };
  return new ReadableStream({
    start(controller) {
      let told = 0;
      // A stream that nobody reads any more takes no line, and its work ends at its next step.
      const send = (text: string): void => void (isOpen && controller.enqueue(encoder.encode(text)));
      keepAlive = setInterval(() => send("\n"), SILENCE);
      const tell = (event: ImportEvent): void => {
        const now = performance.now();
        if ("progress" in event && now - told < SPACING) return;
        told = now;
        send(`${JSON.stringify(event)}\n`);
      };
      void work(tell).finally(() => {
        if (isOpen) controller.close();
        end();
      });
    },
    cancel() {
      end();
      stop();
    },
  });
}
