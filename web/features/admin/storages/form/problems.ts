import { MAX_SIGNATURE_SECONDS, MIN_SIGNATURE_SECONDS } from "#contract/limits";
import { folderSegments } from "#contract/paths";
import type { StorageConfig } from "#contract/storage";
import { problemsOf } from "../../../../ui/form/fields.ts";
import type { Problem, Problems, ResourceFields } from "../../resource/form-fields.tsx";
import { bytesOf } from "./capacity.ts";
import { onServer, type StorageValues } from "./form-values.ts";

/** The state of the form, and the storage that is changed; a new one has none yet. */
export type FieldsProps = ResourceFields<StorageValues> & { readonly storage: StorageConfig | undefined };

/** Problems that the browser can find before it asks the server; a new storage needs its keys. */
export function storageProblems(values: StorageValues, isNew: boolean): Problems<StorageValues> {
  return problemsOf<Problems<StorageValues>>({
    name: values.name.trim() === "" && "storage.problem.name",
    bucket: values.bucket.trim() === "" && "storage.problem.required",
    amount: bytesOf(values) === undefined && "storage.problem.capacity",
    folder: !folderSegments(values.folder.trim()) && "share.problem.folderInvalid",
    ...(onServer(values) ? {} : problemsElsewhere(values, isNew)),
  });
}

const problemsElsewhere = (values: StorageValues, isNew: boolean) => ({
  endpoint: endpointWrong(values.endpoint.trim()) || (isNew && bucketTwice(values) && "storage.problem.endpointBucket"),
  accessKey: isNew && values.accessKey.trim() === "" && ("storage.problem.required" as const),
  secret: isNew && values.secret.trim() === "" && ("storage.problem.required" as const),
  customHost: !isHost(values.customHost.trim()) && ("storage.problem.customHost" as const),
  signature: !isSignature(values.signature) && ("storage.problem.signature" as const),
});

function endpointWrong(endpoint: string): Problem | false {
  if (endpoint === "") return "storage.problem.required";
  if (/[<>]/.test(endpoint)) return "storage.problem.gap";
  return !isAddress(endpoint) && "storage.problem.endpoint";
}

/** Reports whether the endpoint has the bucket too: providers show the address of a bucket, and files would go below its name in it. */
function bucketTwice({ endpoint, bucket }: StorageValues): boolean {
  const { hostname, pathname } = new URL(withScheme(endpoint.trim()));
  const name = bucket.trim();
  if (name === "") return false;
  // A bucket may be called as its host is, which then does not go on as the hosts of buckets do.
  const rest = hostname.startsWith(`${name}.`) ? hostname.slice(name.length + 1) : "";
  return pathname.replace(/\/+$/, "") === `/${name}` || /^(?:s3|oss|cos|obs)[.-]/.test(rest);
}

/** Returns an address with its scheme; the server, too, takes one without a scheme for https. */
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
