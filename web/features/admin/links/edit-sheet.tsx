import type { LinkChange, LinkRecord } from "#contract/links";
import { useUpdateLink } from "../../../api/link-records.ts";
import { refusalText } from "../../../api/refusals.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { FormSheet } from "../../../ui/form/form-sheet.tsx";
import { useForm } from "../../../ui/form/use-form.ts";
import { LinkConnect } from "../../../ui/link-form/connect.tsx";
import { LinkFields } from "../../../ui/link-form/fields.tsx";
import {
  type LinkProblems,
  type LinkValues,
  linkChangeOf,
  linkProblems,
  linkValues,
} from "../../../ui/link-form/values.ts";
import { Activity } from "../activity/activity.tsx";

interface EditLinkProps {
  readonly link: LinkRecord;
  readonly onClose: () => void;
}

/** Changes one link at the side of the list; what it leads to stays. */
export function EditLink({ link, onClose }: EditLinkProps) {
  useLanguage();
  const { mutateAsync: update } = useUpdateLink();
  const before = linkValues(link);
  const state = useForm<LinkValues, LinkChange, LinkProblems>({
    before,
    changeOf: (values) => linkChangeOf(values, link),
    problemsIn: (values) => linkProblems(values, before, Date.now()),
    refusable: ["slug", "expiry"],
    save: async (change) => {
      await update({ id: link.id, change });
      onClose();
    },
    onUnchanged: onClose,
  });
  return (
    <FormSheet title={t("link.form.editTitle")} state={state} refusal={refusalText(state.refused)} onClose={onClose}>
      <LinkFields {...state} link={link} mayUpload={link.items.some(({ isDirectory }) => isDirectory)} />
      <LinkConnect link={link} />
      <Activity subject={{ kind: "link", id: link.id }} slug={link.slug} />
    </FormSheet>
  );
}
