import type { LinkChange, LinkItem, LinkRecord } from "#contract/links";
import { useLinkRecord, useReceived, useUpdateLink } from "../../../api/links.ts";
import { refusalText } from "../../../api/refusals.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { FormSheet } from "../../../ui/form/form-sheet.tsx";
import { useForm } from "../../../ui/form/use-form.ts";
import { LinkConnect } from "../../../ui/link-form/connect.tsx";
import { LinkFields } from "../../../ui/link-form/fields.tsx";
import { SealedFacts } from "../../../ui/link-form/sealed-facts.tsx";
import {
  type LinkProblems,
  type LinkValues,
  linkChangeOf,
  linkProblems,
  linkValues,
} from "../../../ui/link-form/values.ts";
import { Activity } from "../activity/activity.tsx";
import { type EditedItem, sentItem } from "./edited-item.ts";
import { LinkItems } from "./link-items.tsx";

interface EditLinkProps {
  readonly link: LinkRecord;
  readonly onClose: () => void;
}

/** The form, and what the link leads to once something was taken out or added. */
interface EditValues extends LinkValues {
  readonly left: readonly EditedItem[] | undefined;
}

/** Changes one link at the side of the list; what it leads to stays, also what is taken out. */
export function EditLink({ link, onClose }: EditLinkProps) {
  useLanguage();
  const { mutateAsync: update } = useUpdateLink();
  const whole = useLinkRecord(link.id);
  const before: EditValues = { ...linkValues(link), left: undefined };
  const state = useForm<EditValues, LinkChange, LinkProblems>({
    before,
    changeOf: ({ left, ...values }) => ({
      ...linkChangeOf(values, link),
      ...(left && { items: left.map(sentItem) }),
    }),
    problemsIn: (values) => linkProblems(values, before, Date.now()),
    refusable: ["slug", "expiry"],
    save: async (change) => {
      await update({ id: link.id, change });
      onClose();
    },
    onUnchanged: onClose,
  });
  const placeOf = usePlaces(link, whole.data?.items ?? link.items);
  const { left } = state.values;
  const items = left ?? whole.data?.items ?? link.items;
  return (
    <FormSheet title={t("link.form.editTitle")} state={state} refusal={refusalText(state.refused)} onClose={onClose}>
      <LinkItems whole={whole} left={left} onChange={(next) => state.fill({ left: next })} />
      <LinkFields {...state} link={link} mayUpload={items.some(({ isDirectory }) => isDirectory)} />
      {link.recipient ? <SealedFacts link={link} recipient={link.recipient} /> : <LinkConnect link={link} />}
      <Activity subject={{ kind: "link", id: link.id }} slug={link.slug} placeOf={placeOf} />
    </FormSheet>
  );
}

/** Files that came last, in which a name of the log is looked for. */
const RECEIVED = 100;

/** Where a file that the log of a link names is, if it is one of its items or has come by it lately. The log itself keeps names alone. */
function usePlaces(
  { id, rights }: LinkRecord,
  items: readonly LinkItem[],
): (name: string) => string | null | undefined {
  const { data } = useReceived(id, { limit: RECEIVED, offset: 0 }, rights.includes("upload"));
  const places = new Map<string, string | null>();
  const files = [
    ...items.filter(({ isDirectory }) => !isDirectory),
    // The newest come first, and of files of one name the newest is meant.
    ...(data?.receipts.flatMap((receipt) => receipt.files.filter((file) => file.arrived_at !== null)) ?? []),
  ];
  for (const { name, path } of files) if (!places.get(name)) places.set(name, path);
  return (name) => places.get(name);
}
