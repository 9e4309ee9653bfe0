import { useQuery } from "@tanstack/react-query";
import { appUpdate } from "../../page/app-update.ts";

/** The groups of letters of a public key, as they are compared; none without one, and until they are known. */
export function useLetters(recipient: string | undefined): readonly string[] {
  const { data = [] } = useQuery({
    queryKey: ["sealed", "letters", recipient],
    queryFn: async () =>
      (await appUpdate.arrival(() => import("../../sealed/fingerprint.ts"))).fingerprintOf(recipient ?? ""),
    enabled: recipient !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}
