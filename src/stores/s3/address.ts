import { isIP } from "node:net";
import { Failure } from "#contract/failures";
import { providerOf } from "#contract/providers";
import { encodeKey } from "../../lib/signatures/sigv4.ts";

/** The settings that name a bucket. */
export interface BucketConfig {
  /** As the administrator typed it: with or without a scheme, a path or a slash at the end. */
  readonly endpoint: string;
  /** Empty for the usual one of the provider. */
  readonly region: string;
  readonly bucket: string;
  /** Whether the bucket is in the path instead of the host name. */
  readonly pathStyle: boolean;
  readonly provider: string;
}

/** The address of a bucket. */
export interface Address {
  /** Scheme, host and path, without a slash at the end. */
  readonly endpoint: string;
  readonly region: string;
  readonly pathStyle: boolean;
  urlOf(key: string): string;
}

const hostLabel = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;

/** Reads the address of a bucket. 400 storage.endpoint for an endpoint that is no http or https URL. */
export function readAddress({ endpoint, region, bucket, pathStyle, provider }: BucketConfig): Address {
  const { protocol, host, hostname, pathname } = readEndpoint(endpoint);
  const { takesPathStyle, region: usualRegion } = providerOf(provider);
  const path = pathname.replace(/\/+$/, "");
  // The rule of the SDKs: no certificate covers a bucket name with dots, and an IP address has no subdomains.
  const labels = bucket.split(".");
  const named = labels.every((label) => hostLabel.test(label)) && (labels.length === 1 || protocol === "http:");
  const inPath = (pathStyle && takesPathStyle) || !named || isIP(hostname.replace(/^\[|\]$/g, "")) !== 0;
  const base = inPath
    ? `${protocol}//${host}${path}/${encodeURIComponent(bucket)}`
    : `${protocol}//${bucket}.${host}${path}`;
  return {
    endpoint: `${protocol}//${host}${path}`,
    region: region.trim() || usualRegion || "us-east-1",
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

/** Reports whether a URL can carry this key: segments `.` and `..` would be resolved on the way. */
export const isKey = (key: string): boolean =>
  key !== "" &&
  key.isWellFormed() &&
  Buffer.byteLength(key) <= LONGEST_KEY &&
  !key.split("/").some((segment) => segment === "." || segment === "..");

/** 400 path.invalid for a key that no object can have. */
export function checkKey(key: string): void {
  if (!isKey(key)) throw new Failure("path.invalid");
}
