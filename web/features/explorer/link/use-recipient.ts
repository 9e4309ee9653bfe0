import { useQuery } from "@tanstack/react-query";
import { useLocation } from "react-router-dom";
import { appUpdate } from "../../../page/app-update.ts";
import { sealing } from "../../../page/sealing.ts";

/** For whom files are sealed before they are sent, as the link of this page says behind its `#`. */
type Sealing =
  | { readonly state: "none" | "checking" | "broken" | "missing" | "plainHttp" }
  | { readonly state: "failed"; readonly error: unknown; again(): void }
  | { readonly state: "ready"; readonly recipient: string; readonly letters: readonly string[] };

/**
 * Reads it. The server is not told what stands there, so it can put no recipient of its own in its place. With anything there that is no
 * recipient, and without any where the link is to have one, nothing may be sent: whoever made the link wanted it sealed.
 */
export function useRecipient(isWanted: boolean): Sealing {
  const recipient = useLocation().hash.slice(1);
  const { data, error, refetch } = useQuery({
    queryKey: ["sealed", "recipient", recipient],
    queryFn: () => lettersOf(recipient),
    enabled: recipient !== "" && sealing.able(),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (recipient === "") return { state: isWanted ? "missing" : "none" };
  if (!sealing.able()) return { state: "plainHttp" };
  if (error) return { state: "failed", error, again: () => void refetch() };
  if (data === undefined) return { state: "checking" };
  return data === null ? { state: "broken" } : { state: "ready", recipient, letters: data };
}

/** The letters that both sides compare; null for what is no recipient. */
async function lettersOf(recipient: string): Promise<readonly string[] | null> {
  const [{ isRecipient }, { fingerprintOf }] = await appUpdate.arrival(() =>
    Promise.all([import("../../../sealed/locks.ts"), import("../../../sealed/fingerprint.ts")]),
  );
  return isRecipient(recipient) ? fingerprintOf(recipient) : null;
}
