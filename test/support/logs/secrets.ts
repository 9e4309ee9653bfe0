/** Finds the secrets in requests and answers. */

const secretFields =
  /^(password|currentPassword|newPassword|custom_key|token|linkToken|key|grant|secret|secret_access_key|sign)$/;
const secretParameters = /^(password|grant|sign|token|Signature|X-Amz-Signature|X-Amz-Security-Token)$/i;

/** The values of a query that are secret, as they were written and as they are read. */
export function secretsOfUrl(url: string): string[] {
  const start = url.indexOf("?");
  if (start < 0) return [];
  return url
    .slice(start + 1)
    .split("&")
    .flatMap((pair) => {
      const [name = "", ...rest] = pair.split("=");
      const written = rest.join("=");
      if (!secretParameters.test(name)) return [];
      return [written, new URLSearchParams(pair).get(name) ?? ""];
    });
}

/** Credentials without the name of their scheme; of HTTP Basic the password, too. */
export function secretsOfHeaders(headers: Headers): string[] {
  const keys = [headers.get("x-api-key"), headers.get("x-custom-auth-key")];
  const [scheme = "", ...rest] = (headers.get("authorization") ?? "").split(" ");
  const credential = rest.join(" ");
  const signature = /Signature=(\w+)/.exec(credential)?.[1];
  const password =
    scheme.toLowerCase() === "basic" ? Buffer.from(credential, "base64").toString().split(":").slice(1).join(":") : "";
  return [...keys, signature ?? credential, password].flatMap((text) => text ?? []);
}

/** The secret fields of a body: JSON or a form. */
export function secretsOfBody(text: string): string[] {
  const parts = text.matchAll(/name="?(\w+)"?\r\n(?:[^\r\n]+\r\n)*\r\n([^\r\n]*)\r\n/g);
  const fields = [...parts].flatMap(([, name = "", value = ""]) => (secretFields.test(name) ? [value] : []));
  return [...fields, ...secretsOfJson(parsed(text), "")];
}

function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // What is no JSON has no fields either.
    return undefined;
  }
}

function secretsOfJson(value: unknown, name: string): string[] {
  if (typeof value === "string") return secretFields.test(name) ? [value, ...secretsOfUrl(value)] : secretsOfUrl(value);
  if (typeof value !== "object" || value === null) return [];
  // The key of an object in its bucket opens nothing.
  const isOpen = (inner: string) => inner === "key" && "bucket" in value;
  return Object.entries(value).flatMap(([inner, one]) => (isOpen(inner) ? [] : secretsOfJson(one, inner)));
}
