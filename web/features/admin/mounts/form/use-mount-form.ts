import type { MountChange, MountRecord, NewMount } from "#contract/mounts";
import { useForm } from "../../../../ui/share-form/use-form.ts";
import { emptyMount, type FilledMount, filledMount, mountChange, newMount } from "./filled.ts";
import { type MountProblems, mountProblems } from "./problems.ts";

/** The fields at which a refusal of the server is shown. */
const refusable = ["path", "storage"] as const;

/** The state of the form for a new mount, with a storage that is chosen beforehand. */
export const useNewMountForm = (storage: string, save: (mount: NewMount) => Promise<unknown>) =>
  useForm<FilledMount, NewMount, MountProblems>({
    before: emptyMount(storage),
    changeOf: newMount,
    problemsIn: mountProblems,
    refusable,
    save,
    onUnchanged: () => undefined,
  });

interface Editing {
  readonly mount: MountRecord;
  readonly save: (change: MountChange) => Promise<unknown>;
  readonly onUnchanged: () => void;
}

/** The state of the form that changes a mount. */
export const useMountForm = ({ mount, save, onUnchanged }: Editing) =>
  useForm<FilledMount, MountChange, MountProblems>({
    before: filledMount(mount),
    changeOf: (filled) => mountChange(filled, mount),
    problemsIn: mountProblems,
    refusable,
    save,
    onUnchanged,
  });

/** What the fields need of either form. */
export type FieldsProps = Pick<ReturnType<typeof useMountForm>, "filled" | "fill" | "problems">;
