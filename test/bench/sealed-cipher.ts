/** Has browsers be as those without a ChaCha20-Poly1305 of their own. */
export function withoutNative(): void {
  const { importKey } = crypto.subtle;
  crypto.subtle.importKey = ((format: string, ...rest: unknown[]) =>
    format === "raw-secret"
      ? Promise.reject(new DOMException("", "NotSupportedError"))
      : Reflect.apply(importKey, crypto.subtle, [format, ...rest])) as typeof importKey;
}
