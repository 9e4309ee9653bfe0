import { Failure } from "#contract/failures";
import { slugProblem } from "#contract/paths";
import type { NewFile } from "#contract/uploads";
import type { Caller } from "../access/principal.ts";
import { owns } from "../access/rights.ts";
import type { Digesting } from "../lib/digests/digests.ts";
import { typeOf } from "../lib/mime.ts";
import { responseOf } from "../lib/open-file.ts";
import type { Incoming, ObjectHead } from "../stores/store.ts";
import type { Show } from "./file-uploads.ts";
import type { FileRow, FilesTable, ListedFileRow, TakeOver } from "./files-table.ts";
import { asStored, type Begun } from "./new-file.ts";
import { claimSlug, draftFor, type FilesDeps } from "./new-share.ts";

interface ReceivingDependencies {
  readonly table: FilesTable;
  readonly begin: (caller: Caller, request: NewFile) => Promise<Begun>;
  /** Makes a share visible whose file has arrived. */
  readonly settle: (caller: Caller, file: FileRow, how: { show?: Show | undefined }) => Promise<ListedFileRow>;
  readonly giveUp: (file: FileRow) => Promise<void>;
  /** Shows a share whose file has arrived under a slug, where the share that has it gives way. 404 upload.missing, 409 slug.taken. */
  readonly takeOver: (file: FileRow, over: Omit<TakeOver, "now">) => Promise<void>;
}

/** A file that passes through the server. */
interface Passing {
  readonly body: Incoming;
  /** Bytes; undefined when nobody knows. */
  readonly length?: number | undefined;
  /**
   * Called when all bytes have arrived. Throws if the file must not be shared after all; otherwise returns the options
   * by then, since fields of a form may follow its file.
   */
  readonly arrived: () => Promise<NewFile>;
  /** What is to be known of the bytes once they have arrived. */
  readonly digesting?: Digesting | undefined;
  /** How it becomes visible; as any other unless said. */
  readonly show?: Show | undefined;
  /** Whether its options may still change, a password among them: then nobody reads it before it has arrived. */
  readonly isOpenToChange?: boolean | undefined;
}

/** Takes files and shares them. When a file does not arrive whole, or `arrived` throws, nothing of it remains. */
export function createFileReceiving(
  deps: FilesDeps,
  { table, begin, settle, giveUp, takeOver }: ReceivingDependencies,
) {
  const { transfers } = deps;

  /** Writes the options into the share that waits for its file. 400 slug.*, expiry.past; 409 slug.taken. */
  const amend = async (caller: Caller, before: FileRow, request: NewFile): Promise<void> => {
    const draft = await draftFor(deps, caller, request);
    const { id, version, created_by, created_at } = before;
    const write = (slug: string) =>
      table.update({
        before,
        after: { ...before, ...draft, id, version, created_by, created_at, slug },
        resetViews: false,
      });
    if (request.slug) await claimSlug(request.slug, write);
    else if (!(await write(before.slug))) throw new Failure("upload.missing");
  };

  /** Begins again where the last request says, with the bytes that have arrived elsewhere. */
  const moveOn = async (caller: Caller, { file, upload }: Begun, { arrived, show }: Omit<Passing, "body">) => {
    // The slug may be wanted again, and the object is still to be read.
    await table.remove(file, true);
    try {
      const stored = await transfers.read(upload);
      if (!stored) throw new Failure("upload.missing");
      const { size } = stored.head;
      const last = await arrived();
      const passing = { body: responseOf(stored.body), length: size, arrived, show };
      return await receive(caller, { ...last, size: last.size ?? size }, passing);
    } finally {
      await transfers.uploads.drop(upload.id);
    }
  };

  const receive = async (caller: Caller, request: NewFile, passing: Passing): Promise<ListedFileRow> => {
    const begun = await begin(caller, request);
    const { file, upload } = begun;
    try {
      const { body, length, digesting, isOpenToChange: isHidden } = passing;
      const head = await transfers.uploads.receive(upload, { body, length, digesting, isHidden });
      const last = await passing.arrived();
      if (last.size != null && last.size !== head.size) throw new Failure("upload.length");
      if (!isSamePlace(request, last)) return await moveOn(caller, begun, { ...passing, arrived: async () => last });
      // The expiry of what takes the place of another may have passed on the way.
      if (passing.show || !Bun.deepEquals(request, last)) await amend(caller, file, last);
      return await settle(caller, file, { show: passing.show });
    } catch (error) {
      await giveUp(file);
      throw error;
    }
  };

  /** The share that has a slug, when the caller may replace it. 409 slug.taken; visitors may not, because they share one key. */
  const replaceable = async (caller: Caller, slug: string): Promise<FileRow | undefined> => {
    const row = await table.find(slug);
    const isOwn = !(caller.kind === "key" && caller.isVisitor) && row !== undefined && owns(caller, row.created_by);
    if (row && !isOwn) throw new Failure("slug.taken");
    return row;
  };

  return {
    /**
     * Takes a file that passes through the server. 400 filename.invalid, path.invalid, slug.*, expiry.past, upload.length; 403
     * storage.forbidden; 409 slug.taken, path.conflict; 413 file.tooLarge; 507 storage.full.
     */
    receive,

    /**
     * Takes a file that passes through the server, and replaces a share of the caller with the same slug in the moment in which the new one becomes visible: whatever
     * refuses it leaves the old one as it was.
     */
    async receiveOver(caller: Caller, request: NewFile, passing: Passing): Promise<ListedFileRow> {
      const { slug } = request;
      if (!slug) return await receive(caller, request, passing);
      const problem = slugProblem(slug);
      if (problem) throw new Failure(problem);
      await replaceable(caller, slug);
      const arrived = async () => ({ ...(await passing.arrived()), slug: undefined });
      const show = async (file: FileRow, head: ObjectHead) => {
        await takeOver(file, { slug, before: await replaceable(caller, slug), head });
        return undefined;
      };
      return await receive(caller, { ...request, slug: undefined }, { ...passing, arrived, show });
    },
  };
}

/** Reports whether the object of two requests has the same key, storage and type, and is sealed or not. */
const isSamePlace = (one: NewFile, other: NewFile): boolean =>
  Bun.deepEquals(placeOf(asStored(one)), placeOf(asStored(other)));

const placeOf = ({ s3_config_id, path, filename, mimetype, sealed }: NewFile) => [
  sealed || null,
  s3_config_id || null,
  path || null,
  filename,
  typeOf(filename, mimetype),
];
