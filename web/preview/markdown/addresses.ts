/** What a link or image may lead to: the web, mail, phone, or a place of our own. */
export const safeAddress = /^(?:https?:|mailto:|tel:|#|\/|\.|data:image\/(?:png|gif|jpe?g|webp|avif);|[^:]*$)/i;

/**
 * The other host an address leads to, or undefined when it stays on this origin (or in the text itself, as data:). Images of other
 * hosts wait for a click wherever they are shown, because loading one tells its host who reads. In what was sealed this origin is foreign
 * too: what an address says is a part of the text.
 */
export function foreignHost(address: string, origin: string, isSealed = false): string | undefined {
  if (/^data:image\//i.test(address)) return undefined;
  try {
    const url = new URL(address, origin);
    return url.origin === origin && !isSealed ? undefined : url.host || url.protocol;
  } catch {
    return address.slice(0, 40);
  }
}
