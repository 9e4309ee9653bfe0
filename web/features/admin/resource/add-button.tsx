import Plus from "lucide-react/icons/plus";
import type { ReactNode } from "react";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/card.tsx";

/** Where the dictionaries have the sentences of each resource. */
export type ResourceName = "admin.keys" | "admin.webhooks" | "mount" | "storage";

interface AddButtonProps {
  readonly resource: ResourceName;
  readonly onAdd: () => void;
}

/** Opens the form for a new resource. */
export function AddButton({ resource, onAdd, first = false }: AddButtonProps & { readonly first?: boolean }) {
  useLanguage();
  return (
    <Button variant="primary" icon={<Plus aria-hidden />} onClick={onAdd}>
      {first ? t(`${resource}.emptyAction`) : t(`${resource}.add`)}
    </Button>
  );
}

/** What the page of a resource says while there is none. */
export function NoneYet({ resource, onAdd, icon }: AddButtonProps & { readonly icon: ReactNode }) {
  useLanguage();
  return (
    <EmptyState
      icon={icon}
      title={t(`${resource}.emptyTitle`)}
      text={t(`${resource}.emptyText`)}
      action={<AddButton resource={resource} onAdd={onAdd} first />}
    />
  );
}
