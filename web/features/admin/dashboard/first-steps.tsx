import ArrowRight from "lucide-react/icons/arrow-right";
import CircleCheck from "lucide-react/icons/circle-check";
import CircleDashed from "lucide-react/icons/circle-dashed";
import X from "lucide-react/icons/x";
import { useState } from "react";
import type { DashboardStats } from "#contract/dashboard";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { browserStorage } from "../../../lib/storage.ts";
import { IconButton } from "../../../ui/button.tsx";
import { Link } from "../../../ui/link.tsx";
import { TitledCard } from "./card.tsx";

const DISMISSED = "first steps dismissed";

const steps = [
  { name: "password", to: "/admin/account" },
  { name: "key", to: "/admin/key-management" },
  { name: "storage", to: "/admin/storage-config" },
] as const;

/** The next three steps of a new installation. They go when all are done, or for this browser when they are dismissed. */
export function FirstSteps({ done }: { readonly done: DashboardStats["firstSteps"] }) {
  useLanguage();
  const [dismissed, setDismissed] = useState(() => browserStorage.get(DISMISSED) !== null);
  if (dismissed || steps.every(({ name }) => done[name])) return null;
  const dismiss = () => {
    browserStorage.set(DISMISSED, "1");
    setDismissed(true);
  };
  return (
    <TitledCard
      title={t("admin.dashboard.steps.title")}
      tools={
        <IconButton label={t("admin.dashboard.steps.dismiss")} onClick={dismiss} className="-mr-2">
          <X aria-hidden />
        </IconButton>
      }
    >
      <p className="-mt-2 mb-3 text-muted">{t("admin.dashboard.steps.text")}</p>
      <ol className="grid gap-1 sm:-mx-2">
        {steps.map(({ name, to }) => (
          <li key={name}>{done[name] ? <Done name={name} /> : <ToDo name={name} to={to} />}</li>
        ))}
      </ol>
    </TitledCard>
  );
}

interface Step {
  readonly name: (typeof steps)[number]["name"];
  readonly to: string;
}

const row = "flex items-center gap-3 rounded-lg py-2 sm:px-2 [&_svg]:size-[18px] [&_svg]:shrink-0";

const Done = ({ name }: Pick<Step, "name">) => (
  <div className={row}>
    <CircleCheck aria-hidden className="text-ok" />
    <span className="text-muted line-through">{t(`admin.dashboard.steps.${name}`)}</span>
    <span className="sr-only">{t("admin.dashboard.steps.done")}</span>
  </div>
);

const ToDo = ({ name, to }: Step) => (
  <Link to={to} className={`${row} transition-colors hover:bg-sunken`}>
    <CircleDashed aria-hidden className="text-muted" />
    <span className="min-w-0 flex-1">
      <span className="block font-medium">{t(`admin.dashboard.steps.${name}`)}</span>
      <span className="block text-[13px] text-muted">{t(`admin.dashboard.steps.${name}Text`)}</span>
    </span>
    <span className="sr-only">{t("admin.dashboard.steps.open")}</span>
    <ArrowRight aria-hidden className="text-muted" />
  </Link>
);
