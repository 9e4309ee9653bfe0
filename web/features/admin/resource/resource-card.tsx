import Pencil from "lucide-react/icons/pencil";
import Trash2 from "lucide-react/icons/trash-2";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { classes } from "../../../lib/classes.ts";
import { IconButton } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { type Outcome, OutcomeNotice } from "./outcome.tsx";

const badgeLooks = { ok: "bg-ok-soft text-ok", accent: "bg-accent-soft text-accent", plain: "bg-sunken text-muted" };

interface ResourceCardProps {
  readonly icon: ReactNode;
  readonly name: string;
  /** The line below the name. */
  readonly about: ReactNode;
  readonly badge?: { readonly tone: keyof typeof badgeLooks; readonly text: string } | undefined;
  /** What came of the last action, when it was about this one. */
  readonly outcome: Outcome | undefined;
  /** Buttons for what can be done beside editing and removing. */
  readonly actions: ReactNode;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
  /** What is known of it. */
  readonly children: ReactNode;
}

/** One resource: what it is, what came of the last action, and what can be done with it. */
export function ResourceCard({ outcome, actions, onEdit, onRemove, children, ...heading }: ResourceCardProps) {
  useLanguage();
  const title = useId();
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!outcome) return;
    // A new one may stand anywhere in the list.
    card.current?.scrollIntoView({ block: "nearest" });
    // The button that was pressed may be gone with what it did.
    if (document.activeElement === document.body) card.current?.focus({ preventScroll: true });
  }, [outcome]);
  return (
    <Card ref={card} tabIndex={-1} aria-labelledby={title} className="flex h-full scroll-mt-28 flex-col">
      <div className="grid flex-1 content-start gap-4 p-4">
        <Heading id={title} {...heading} />
        {children}
        {outcome && <OutcomeNotice outcome={outcome} />}
      </div>
      <div className="flex items-center border-line border-t px-2 py-1.5">
        {actions}
        <IconButton label={t("admin.list.edit")} onClick={onEdit}>
          <Pencil aria-hidden />
        </IconButton>
        <IconButton tone="danger" label={t("admin.list.remove")} onClick={onRemove}>
          <Trash2 aria-hidden />
        </IconButton>
      </div>
    </Card>
  );
}

interface HeadingProps extends Pick<ResourceCardProps, "icon" | "name" | "about" | "badge"> {
  readonly id: string;
}

const Heading = ({ id, icon, name, about, badge }: HeadingProps) => (
  <div className="flex items-start gap-3">
    <div className="grid size-9 shrink-0 place-items-center rounded-lg bg-sunken text-muted [&_svg]:size-[18px]">
      {icon}
    </div>
    <div className="min-w-0 flex-1">
      <h2 id={id} className="wrap-anywhere font-semibold leading-snug">
        {name}
      </h2>
      <p className="wrap-anywhere text-[13px] text-muted">{about}</p>
    </div>
    {badge && (
      <span className={classes("shrink-0 rounded-full px-2.5 py-0.5 font-medium text-xs", badgeLooks[badge.tone])}>
        {badge.text}
      </span>
    )}
  </div>
);
