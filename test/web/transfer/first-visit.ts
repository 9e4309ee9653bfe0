import type { Memory } from "../../../web/transfer/ports.ts";
import type { Digest } from "../../../web/transfer/resume/options-key.ts";
import type { UploadOptions } from "../../../web/transfer/uploads.ts";
import type { UploadServer } from "../../support/page-servers/upload-server.ts";
import { largeFile, uploadsAt } from "../../support/page-servers/uploads-at.ts";

/** The options of the first visit. */
export const first: UploadOptions = { slug: "mine", remark: "then" };

/** A visit that brings the first two parts there and ends, as by a reload. */
export async function firstVisit(server: UploadServer, memory: Memory, options = first, digest?: Digest) {
  const gate = Promise.withResolvers<void>();
  let held = 0;
  server.onPut(({ part }) => {
    if (part < 3) return undefined;
    held += 1;
    return gate.promise.then(() => new Response(null, { status: 500 }));
  });
  const here = uploadsAt(server.base, { memory, ...(digest && { digest }) });
  here.uploads.add([largeFile()]);
  here.uploads.start(options);
  await here.clock.until(() => held === 3);
  here.uploads.pauseAll();
  gate.resolve();
  await here.clock.until(() => server.inFlight() === 0);
  server.onPut(() => undefined);
  server.puts.length = 0;
  server.calls.length = 0;
}
