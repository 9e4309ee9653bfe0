import { t } from "../../i18n/i18n.ts";
import { createStore } from "../../lib/store.ts";
import type { Offline, ShownChange } from "../../offline/offline.ts";
import { awaitedAnswers } from "../../page/awaited-answers.ts";
import { copyAndTell } from "../../ui/toast/copy-and-tell.ts";
import { toast } from "../../ui/toast/toast.ts";
import { answerLink } from "./answer-link.ts";

/** Whether the list of what waits, with the links of what was sent, is on view. */
export const listIsOpen = createStore(false);

/** Makes what tells once of each text that was shared offline and has been sent, with its link where no page shows that; answers of how many it told. */
export function createLinkTeller(offline: Pick<Offline, "changes" | "discard">) {
  const told = new Set<number>();
  const isNew = ({ id, type, status }: ShownChange) => type === "createPaste" && status === "sent" && !told.has(id);

  const tellOne = (change: ShownChange, link: string) => {
    const copy = async () => {
      // Whoever has it on the clipboard needs it in the list no longer; one that stays there is no harm.
      if (await copyAndTell(link)) await offline.discard(change).catch(() => undefined);
    };
    const action = { label: t("offline.copyLink"), run: () => void copy() };
    void toast({ tone: "ok", stays: true, text: t("offline.sharedAt", { link }), action });
  };

  return (): number => {
    const fresh = offline.changes.get().filter(isNew);
    for (const { id } of fresh) told.add(id);
    const unseen = fresh.flatMap((change) => {
      const link = awaitedAnswers.has(change.requestKey) ? undefined : answerLink(change.answer);
      return link === undefined ? [] : [{ change, link }];
    });
    const [first] = unseen;
    if (!first || listIsOpen.get()) return 0;
    if (unseen.length === 1) tellOne(first.change, first.link);
    else {
      const action = { label: t("offline.showLinks"), run: () => listIsOpen.set(true) };
      void toast({ tone: "ok", stays: true, text: t("offline.sharedSeveral", { count: unseen.length }), action });
    }
    return unseen.length;
  };
}
