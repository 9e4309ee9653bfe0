import { useLinkList } from "../../../api/links.ts";
import { useSession } from "../../../api/session/session.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { linkName } from "../../../ui/link-form/facts.tsx";
import { useLetters } from "../../../ui/link-form/use-letters.ts";
import { Notice } from "../../../ui/notice.tsx";
import { useTree } from "../tree.ts";

/** Links that are looked at. */
const MOST = 20;

interface OtherRecipientProps {
  /** Of a sealed file that was opened here. */
  readonly path: string;
  /** For whom it was sealed. */
  readonly recipient: string;
}

/**
 * Says which link that leads to this place seals for somebody else, as the server tells it: it may have put a key of its own in the place of
 * the owner's, and this is where their browser knows the right one.
 */
export function OtherRecipient({ path, recipient }: OtherRecipientProps) {
  useLanguage();
  const { link } = useTree();
  const isOwn = useSession().authType !== "none" && link === undefined;
  const { data } = useLinkList({ path, limit: MOST, offset: 0 }, isOwn);
  const other = data?.links.find((one) => one.recipient !== null && one.recipient !== recipient);
  const letters = useLetters(other?.recipient ?? undefined).join(" ");
  if (!other || letters === "") return null;
  return <Notice tone="error">{t("sealed.inTree.otherRecipient", { name: linkName(other), letters })}</Notice>;
}
