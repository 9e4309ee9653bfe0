import { MAX_SIGNATURE_SECONDS, MIN_SIGNATURE_SECONDS } from "#contract/limits";
import { folderSegments } from "#contract/paths";
import type { StorageConfig } from "#contract/storage";
import type { WordKey } from "../../../../i18n/i18n.ts";
import { problemsOf } from "../../../../ui/form/fields.ts";
import type { FormFields } from "../../../../ui/form/use-form.ts";
import { bytesOf } from "./capacity.ts";
import { type FilledStorage, onBuiltIn } from "./filled.ts";

/** The sentence for a problem of a field; translated where it is shown, in the language of that moment. */
type StorageProblem = Extract<WordKey, `storage.problem.${string}` | "share.problem.folderInvalid">;
export type StorageProblems = { readonly [Field in keyof FilledStorage]?: StorageProblem };

/** The state of the form, and the storage that is changed; a new one has none yet. */
export type FieldsProps = FormFields<FilledStorage, StorageProblems> & { readonly storage: StorageConfig | undefined };

/** Problems that the browser can find before it asks the server; a new storage needs its keys. */
export function storageProblems(filled: FilledStorage, isNew: boolean): StorageProblems {
  return problemsOf<StorageProblems>({
    name: filled.name.trim() === "" && "storage.problem.name",
    bucket: filled.bucket.trim() === "" && "storage.problem.required",
    amount: bytesOf(filled) === undefined && "storage.problem.capacity",
    folder: !folderSegments(filled.folder.trim()) && "share.problem.folderInvalid",
    ...(onBuiltIn(filled) ? {} : problemsElsewhere(filled, isNew)),
  });
}

const problemsElsewhere = (filled: FilledStorage, isNew: boolean) => ({
  endpoint: endpointWrong(filled.endpoint.trim()),
  accessKey: isNew && filled.accessKey.trim() === "" && ("storage.problem.required" as const),
  secret: isNew && filled.secret.trim() === "" && ("storage.problem.required" as const),
  customHost: !isHost(filled.customHost.trim()) && ("storage.problem.customHost" as const),
  signature: !isSignature(filled.signature) && ("storage.problem.signature" as const),
});

function endpointWrong(endpoint: string): StorageProblem | false {
  if (endpoint === "") return "storage.problem.required";
  if (/[<>]/.test(endpoint)) return "storage.problem.gap";
  return !isAddress(endpoint) && "storage.problem.endpoint";
}

/** As the server reads it: https unless it says otherwise. */
const withScheme = (address: string) => (/^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `https://${address}`);
const isAddress = (address: string): boolean =>
  /^https?:/i.test(withScheme(address)) && URL.canParse(withScheme(address));
const isHost = (host: string): boolean => host === "" || isAddress(host);

function isSignature(text: string): boolean {
  const seconds = Number(text);
  return (
    text.trim() !== "" &&
    Number.isInteger(seconds) &&
    seconds >= MIN_SIGNATURE_SECONDS &&
    seconds <= MAX_SIGNATURE_SECONDS
  );
}
