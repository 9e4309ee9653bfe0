import { Failure } from "#contract/failures";
import type { Clock } from "../lib/clock.ts";
import { deriveKey, mac, sameText } from "../lib/secret.ts";
import type { Settings } from "../settings/settings.ts";
import type { MountRow } from "./mounts-table.ts";

interface LinksDeps {
  readonly secret: string;
  readonly clock: Clock;
  readonly settings: Pick<Settings, "get">;
}

/** What a mount says of the signatures of its addresses. */
type Signed = Pick<MountRow, "id" | "enable_sign" | "sign_expires">;

interface Address {
  /** Where this server is reached: scheme, host and base path. */
  readonly base: string;
  /** Whether the file is to be kept in place of being shown. */
  readonly download: boolean;
  /** Epoch milliseconds that only make the address another one, for caches. */
  readonly ts?: number | undefined;
}

/**
 * Public addresses of files in mounts that have them (web_proxy), and their signatures. They belong to the mount, whoever asked for
 * one: everybody gets the same, and it ends with the mount, also when another mount comes to the same path.
 */
export function createLinks({ secret, clock, settings }: LinksDeps) {
  const key = deriveKey(secret, "proxy links");

  /** `until` in epoch seconds, 0 is for ever. */
  const write = ({ id }: Signed, path: string, until: number): string =>
    `${mac(key, `${id}:${path.normalize("NFC")}:${until}`).toString("base64")}:${until}`;

  const needed = ({ enable_sign }: Signed): boolean => settings.get("proxy_sign_all") || enable_sign === 1;

  const sign = (mount: Signed, path: string): string => {
    const life = mount.sign_expires ?? settings.get("proxy_sign_expires");
    return write(mount, path, life === 0 ? 0 : Math.floor(clock() / 1000) + life);
  };

  return {
    /** Whether the addresses of a mount must be signed. */
    needed,

    /** The address of a file at a clean path of a mount, signed where that is needed. */
    url(mount: Signed, path: string, { base, download, ts }: Address): string {
      const query = new URLSearchParams({
        ...(download && { download: "true" }),
        ...(needed(mount) && { sign: sign(mount, path) }),
        ...(ts !== undefined && { ts: String(ts) }),
      });
      const address = `${base}/api/p${path.split("/").map(encodeURIComponent).join("/")}`;
      return query.size > 0 ? `${address}?${query}` : address;
    },

    /** Lets a clean path pass where no signature is needed or this one is good. 401 sign.missing, sign.invalid, sign.expired. */
    check(mount: Signed, path: string, sent: string | undefined): void {
      if (!needed(mount)) return;
      if (!sent) throw new Failure("sign.missing");
      // Whoever did not encode a plus sign sent a space.
      const signature = sent.replaceAll(" ", "+");
      const until = /:(\d{1,15})$/.exec(signature)?.[1];
      if (until === undefined || !sameText(write(mount, path, Number(until)), signature))
        throw new Failure("sign.invalid");
      if (until !== "0" && Number(until) * 1000 <= clock()) throw new Failure("sign.expired");
    },
  };
}

export type Links = ReturnType<typeof createLinks>;
