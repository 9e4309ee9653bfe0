import * as z from "zod/mini";
import { Failure } from "#contract/failures";
import { optionalPassword } from "#contract/fields";
import { partCountFor } from "#contract/limits";
import { uploads as api, type NewFile, SHARE_PASSWORD_HEADER } from "#contract/uploads";
import type { House } from "../../../house.ts";
import { headerText, requireWhole } from "../../context.ts";
import type { Bind } from "../bind.ts";
import { readForm } from "../request/form.ts";
import { createRecord } from "./files.ts";
import { requestKey } from "./shares.ts";
import { claimedParts, createUploadAnswers, partUrls } from "./upload-answers.ts";

/** How files get into shares, over REST. */
export function bindUploads(bind: Bind, house: Pick<House, "shares" | "transfers">): void {
  const { transfers } = house;
  const { files } = house.shares;
  const record = createRecord(house);

  const answers = createUploadAnswers(house);
  const { ended } = answers;
  const urlsOf = partUrls(transfers);

  bind(api.presign, async ({ body, principal, request, context }) => {
    const start = await files.begin(principal, body, requestKey(request, principal, context));
    return { data: await answers.presigned(start, context) };
  });

  bind(api.commit, async ({ body: { file_id }, principal, context }) => ({
    data: ended(principal, await files.commit(principal, file_id), context),
  }));

  bind(api.form, async ({ request, principal, context }) => {
    const form = await readForm(request, api.form.form, api.form.limits);
    context.hold();
    const newFile = (): NewFile => {
      const { filename, mimetype, ...rest } = form.values();
      return { ...rest, filename: filename || form.filename, mimetype: mimetype || form.mimetype };
    };
    const ended = async () => {
      await form.ended;
      return newFile();
    };
    const body = new Response(form.file);
    // Fields before the file are complete. Fields after it arrive last, so the file is spooled until then.
    if (form.before.size > 0) {
      const passing = { body, arrived: ended, isOpenToChange: true };
      return { data: record(await files.receive(principal, newFile(), passing), context) };
    }
    await using spooled = await transfers.spool(body);
    const last = await ended();
    const whole = { ...last, size: last.size ?? spooled.size };
    const passing = { body: spooled.body, length: spooled.size, arrived: async () => whole };
    return { data: record(await files.receive(principal, whole, passing), context) };
  });

  bind(api.direct, async ({ params: { filename }, query, request, principal, context }) => {
    requireWhole(request);
    const { length } = context;
    // Without this check a request without a file would share an empty one.
    if (!request.body && length === undefined) throw new Failure("content.empty");
    const { override, original_filename: _kept, ...rest } = query;
    const mimetype = request.headers.get("content-type");
    const file = { ...rest, password: passwordOf(request, query.password), filename, mimetype, size: length };
    context.hold();
    const take = override ? files.receiveOver : files.receive;
    return { data: record(await take(principal, file, { body: request, length, arrived: async () => file }), context) };
  });

  bind(api.begin, async ({ body, principal, request, context }) => {
    const start = await files.begin(principal, body, requestKey(request, principal, context));
    return { data: await answers.inParts(start, context) };
  });

  bind(api.parts, async ({ body, principal, context }) => {
    const { upload, parts } = await files.parts(principal, body);
    const { size, part_size } = upload;
    const partCount = partCountFor(size ?? 0, part_size ?? 1);
    if (body.part_numbers.some((number) => number > partCount)) throw new Failure("upload.parts");
    return {
      data: {
        partSize: part_size ?? 0,
        partCount,
        totalSize: size ?? 0,
        parts: body.list ? parts.map(({ number, ...part }) => ({ partNumber: number, ...part })) : [],
        presigned_urls: await urlsOf(upload, body.part_numbers, { base: context.base(), relayed: body.relay }),
      },
    };
  });

  bind(api.complete, async ({ body, principal, context }) => {
    context.hold();
    return { data: ended(principal, await files.complete(principal, body, claimedParts(body.parts)), context) };
  });

  bind(api.abort, async ({ body, principal }) => {
    await files.abort(principal, body);
    return { data: { fileId: body.file_id } };
  });
}

/** The password of a share: of the query, or of its header. 400 query.invalid. */
function passwordOf({ headers }: Request, asked: string | null | undefined): string | null | undefined {
  const sent = headerText(headers, SHARE_PASSWORD_HEADER);
  if (sent === undefined) return asked;
  const password = z.safeParse(optionalPassword, sent);
  if (!password.success || asked) throw new Failure("query.invalid", { field: SHARE_PASSWORD_HEADER });
  return password.data;
}
