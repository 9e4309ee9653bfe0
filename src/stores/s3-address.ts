import { isIP } from "node:net";
import { Failure } from "#contract/failures";
import { encodeKey } from "../lib/sigv4.ts";

export interface AddressWish {
  /** As an administrator wrote it: with or without scheme, a path or a slash at the end. */
  readonly endpoint: string;
  /** Empty is us-east-1; Cloudflare R2 calls its only one `auto`. */
  readonly region: string;
  readonly bucket: string;
  /** Whether the bucket stands in the path, and not before the host's name. */
  readonly pathStyle: boolean;
  readonly provider: string;
}

/** Where a bucket is reached. */
export interface Address {
  /** Scheme, host and path of the endpoint, without a slash at the end. */
  readonly endpoint: string;
  readonly region: string;
  readonly pathStyle: boolean;
  urlOf(key: string): string;
}

/** This provider takes no path style. */
const HOST_STYLE_ONLY = "Aliyun OSS";

const hostLabel = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;

/** Reads the address of a bucket. 400 storage.endpoint for one that is no web address. */
export function readAddress({ endpoint, region, bucket, pathStyle, provider }: AddressWish): Address {
  const { protocol, host, hostname, pathname } = readEndpoint(endpoint);
  const path = pathname.replace(/\/+$/, "");
  // As SDKs decide it: no certificate covers a bucket with dots, and addresses in numbers have no names before them.
  const labels = bucket.split(".");
  const named = labels.every((label) => hostLabel.test(label)) && (labels.length === 1 || protocol === "http:");
  const inPath = (pathStyle && provider !== HOST_STYLE_ONLY) || !named || isIP(hostname.replace(/^\[|\]$/g, "")) !== 0;
  const base = inPath
    ? `${protocol}//${host}${path}/${encodeURIComponent(bucket)}`
    : `${protocol}//${bucket}.${host}${path}`;
  return {
    endpoint: `${protocol}//${host}${path}`,
    region: region.trim() || "us-east-1",
    pathStyle: inPath,
    urlOf: (key) => `${base}/${encodeKey(key)}`,
  };
}

function readEndpoint(endpoint: string): URL {
  const text = endpoint.trim();
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  const plain =
    url &&
    /^https?:$/.test(url.protocol) &&
    !url.pathname.startsWith("//") &&
    !url.username &&
    !url.password &&
    !url.search &&
    !url.hash;
  if (!plain) throw new Failure("storage.endpoint");
  return url;
}

const LONGEST_KEY = 1024;

/** Whether a URL can carry this key as it is: `.` and `..` would be resolved on the way. */
export const isKey = (key: string): boolean =>
  key !== "" &&
  key.isWellFormed() &&
  Buffer.byteLength(key) <= LONGEST_KEY &&
  !key.split("/").some((segment) => segment === "." || segment === "..");

/** 400 path.invalid for a key that no object can have. */
export function checkKey(key: string): void {
  if (!isKey(key)) throw new Failure("path.invalid");
}
