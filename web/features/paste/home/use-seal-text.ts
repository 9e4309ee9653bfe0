import { useMutation, useQueryClient } from "@tanstack/react-query";
import { isFailure } from "../../../api/failure.ts";
import { fileKeys, visitorKeys } from "../../../api/query-keys.ts";
import { sealedLink } from "../../../api/share-addresses.ts";
import { copyText } from "../../../lib/clipboard.ts";
import { appUpdate } from "../../../page/app-update.ts";
import { sealing } from "../../../page/sealing.ts";
import type { Created } from "./created.ts";
import type { TextToSeal } from "./seal-text.ts";

/** Shares a text sealed, as a file; what does it loads at the first use. */
export function useSealText() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ text, options, plain }: TextToSeal): Promise<Created> => {
      const { sealText } = await appUpdate.arrival(() => import("./seal-text.ts"));
      const { file, key } = await sealText({ text, options, plain });
      const link = sealedLink(file.slug, key || undefined);
      const note = key ? "sealedKey" : "sealedPassword";
      // Nothing of it is remembered: neither its line nor its link, which has the key.
      return { slug: file.slug, link, raw: undefined, note, copied: await copyText(link) };
    },
    onSuccess() {
      sealing.shared();
      return queries.invalidateQueries({ queryKey: fileKeys.lists });
    },
    onError(error) {
      // The rights of visitors may have shrunk since the page asked.
      if (isFailure(error, "auth.required")) void queries.invalidateQueries({ queryKey: visitorKeys.all });
    },
    // What the page has asked for is not kept beyond its answer: it has the text, and its answer the key.
    gcTime: 0,
  });
}
