import { ApiFailure, type ApiFailureCode, isFailure } from "../api/failure.ts";

/** Makes a failure that is not the server's. It has no message: the page has one for each code. */
export const failed = (code: ApiFailureCode, status = 0): ApiFailure => new ApiFailure({ code, status, message: "" });

/** Returns the failure of a PUT with this status; undefined if it succeeded. */
export function putFailure(status: number): ApiFailure | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status === 413) return failed("file.tooLarge", status);
  return failed(status === 507 ? "storage.full" : "putRefused", status);
}

/** Reports whether a storage refused a signed address, most likely because it has expired: the server gives another. */
export const isStaleAddress = (error: unknown): boolean =>
  (isFailure(error, "getRefused") || isFailure(error, "putRefused")) && error.status === 403;

/** Reports whether a failure is the storage's and not the server's. */
const isAboutStorage = ({ code }: ApiFailure): boolean => code.startsWith("storage.");
/** Failures of a storage that may pass by themselves. The others last until somebody repairs the storage. */
const passing: readonly ApiFailureCode[] = ["storage.busy", "storage.unreachable", "storage.broken"];

/** Reports whether no answer came, or a proxy answered that none did: the server may be restarting. */
export const isSilence = (error: unknown): boolean =>
  isFailure(error, "network") ||
  isFailure(error, "timeout") ||
  (isFailure(error) && [502, 503, 504].includes(error.status) && !isAboutStorage(error));

/** Reports whether the same request may well succeed a little later. */
export function isPassing(error: unknown): boolean {
  if (isSilence(error)) return true;
  if (!isFailure(error)) return false;
  if (isAboutStorage(error)) return passing.includes(error.code);
  return [408, 429].includes(error.status) || (error.status >= 500 && error.status !== 507);
}

/** What a link never takes of a file, however often it is sent. */
const refusing: readonly ApiFailureCode[] = ["link.kind", "link.fileBytes"];

/** Reports whether the same file fails again for sure. */
export const isForGood = ({ code }: ApiFailure): boolean => refusing.includes(code);

/** Reports whether the server says that it has no such upload any more. */
export const isForgottenUpload = (error: unknown): boolean =>
  isFailure(error) && (error.status === 404 || error.status === 410);

/** Throws the error of an aborted call if the signal has aborted. */
export function stopIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw failed("aborted");
}
