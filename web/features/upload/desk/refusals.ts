import type { ApiFailure, ApiFailureCode } from "../../../api/failure.ts";
import type { WordKey } from "../../../i18n/i18n.ts";
import type { ChipName } from "./choice.ts";

/** Which option each refusal of the server belongs to, and what it says there. */
const refusals = {
  "slug.invalid": { chip: "slug", words: "share.problem.slugInvalid" },
  "slug.reserved": { chip: "slug", words: "share.problem.slugReserved" },
  "slug.taken": { chip: "slug", words: "share.problem.slugTaken" },
  "expiry.past": { chip: "expiry", words: "share.problem.expiryPast" },
  "path.invalid": { chip: "folder", words: "upload.options.pathInvalid" },
  "path.conflict": { chip: "folder", words: "upload.options.pathConflict" },
  "storage.full": { chip: "storageId", words: "upload.problem.storageFull" },
  "storage.forbidden": { chip: "storageId", words: "upload.problem.storageForbidden" },
  "storage.missing": { chip: "storageId", words: "upload.problem.storageMissing" },
  "storage.unreachable": { chip: "storageId", words: "upload.problem.storageDown" },
  "storage.broken": { chip: "storageId", words: "upload.problem.storageDown" },
  "storage.refused": { chip: "storageId", words: "upload.problem.storageMisset" },
  "storage.bucketMissing": { chip: "storageId", words: "upload.problem.storageMisset" },
  "storage.region": { chip: "storageId", words: "upload.problem.storageMisset" },
  "storage.clock": { chip: "storageId", words: "upload.problem.storageMisset" },
} as const satisfies { readonly [Code in ApiFailureCode]?: { readonly chip: ChipName; readonly words: WordKey } };

/** A refusal that belongs to one of the options. */
export type Refusal = (typeof refusals)[keyof typeof refusals];

const isOptions = (code: string): code is keyof typeof refusals => Object.hasOwn(refusals, code);

/** The option that a failure speaks of, so that another choice and another try can mend it. */
export const refusalOf = (failure: ApiFailure | undefined): Refusal | undefined =>
  failure && isOptions(failure.code) ? refusals[failure.code] : undefined;
