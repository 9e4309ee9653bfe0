import { X509Certificate } from "node:crypto";
import { system } from "#contract/system";
import { version } from "../../package.json";
import type { Config } from "../config.ts";
import { messageOf } from "../lib/errors.ts";
import { parseJson } from "../lib/json.ts";
import { readPair } from "../listener.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

const DAY = 86_400_000;
/** Milliseconds that are left when a certificate should have been renewed. */
const SOON = 14 * DAY;
/** Milliseconds until an address that does not answer is given up. */
const PATIENCE = 10_000;

/** Whether the certificate is one, with its key, and for how long. Undefined without one. */
export function checkCertificate({ tls }: Pick<Config, "tls">, now: number): Finding | undefined {
  if (!tls) return undefined;
  const subject = "Certificate";
  try {
    const until = Date.parse(new X509Certificate(readPair(tls).cert).validTo);
    const text = `It is valid until ${new Date(until).toISOString().slice(0, 10)}.`;
    if (until < now)
      return problem(subject, `It was valid until ${new Date(until).toISOString().slice(0, 10)}.`, "Renew it.");
    return until - now < SOON ? warning(subject, text, "Renew it.") : ok(subject, text);
  } catch (error) {
    return problem(subject, messageOf(error));
  }
}

/** Whether the settings fit a proxy, as far as they tell of one. */
export function checkProxy({ publicUrl, trustedProxies, tls, host, socket }: Config): Finding {
  const subject = "Proxy";
  const isSecure = publicUrl?.startsWith("https:") ?? false;
  const trusts = !trustedProxies.isEmpty;
  if (isSecure && !tls && !trusts)
    return warning(
      subject,
      "PUBLIC_URL is https, and this server has no certificate, so a proxy stands before it; TRUSTED_PROXIES names none.",
      "Set TRUSTED_PROXIES to the address that the proxy comes from, else all visitors share the limits of one.",
    );
  if (trusts && publicUrl === undefined)
    return warning(
      subject,
      "TRUSTED_PROXIES is set, and PUBLIC_URL is not.",
      "Set PUBLIC_URL to the address that people use.",
    );
  if (!trusts && !tls && socket === undefined && !/^(127\.|localhost$|::1$|\[::1\]$)/.test(host))
    return warning(
      subject,
      `The server listens at ${host} without encryption.`,
      "Set TLS_CERT_FILE and TLS_KEY_FILE, or put a proxy with https before it.",
    );
  return ok(subject, trusts ? "TRUSTED_PROXIES and PUBLIC_URL are set." : "None is expected.");
}

/** Whether this Satchel answers at the address that people use. Undefined where none is set. */
export async function checkPublicUrl({
  publicUrl,
  basePath = "",
}: Pick<Config, "publicUrl"> & Partial<Pick<Config, "basePath">>): Promise<Finding | undefined> {
  if (publicUrl === undefined) return undefined;
  const subject = "Public address";
  try {
    const answer = await fetch(`${publicUrl}/api${system.version.path}`, {
      signal: AbortSignal.timeout(PATIENCE),
      redirect: "manual",
    });
    const read = system.version.response.safeParse(parseJson(await answer.text()));
    if (!read.success)
      return warning(
        subject,
        `What answers at ${publicUrl} is no Satchel (${answer.status}).`,
        basePath === ""
          ? "Correct PUBLIC_URL or the proxy."
          : `Correct PUBLIC_URL, or have the proxy pass paths on as they are: with ${basePath}, which BASE_PATH names.`,
      );
    const there = read.data.data.version;
    return there === version
      ? ok(subject, `${publicUrl} leads to a Satchel ${there}.`)
      : warning(
          subject,
          `${publicUrl} leads to a Satchel ${there}, and this is ${version}.`,
          "Restart the server, or correct PUBLIC_URL.",
        );
  } catch (error) {
    return warning(
      subject,
      `${publicUrl} does not answer from here: ${messageOf(error)}`,
      "Start the server, or look at its proxy, name and firewall.",
    );
  }
}
