import { useState } from "react";
import { languages } from "#contract/languages";
import { useCaches, useClearCaches } from "../../../api/dashboard.ts";
import { failureText, failureTone } from "../../../api/failure.ts";
import { useMounts } from "../../../api/mounts.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { TitledCard } from "./card.tsx";

/** What is kept in memory, how often that helped, and the way to clear it. */
export function CachesCard() {
  useLanguage();
  const { data, error } = useCaches();
  return (
    <TitledCard title={t("admin.dashboard.caches.title")} className="lg:col-span-2">
      {error ? <Notice tone="error">{failureText(error)}</Notice> : null}
      {!error && data ? <CacheTable caches={Object.values(data.cache)} /> : null}
      <Clearing />
    </TitledCard>
  );
}

interface Counts {
  readonly name: string;
  readonly hits: number;
  readonly misses: number;
  readonly expired: number;
  readonly cacheSize: number;
  readonly hitRate: number;
}

const words = {
  texts: "texts",
  "file shares": "fileShares",
  files: "files",
  keys: "keys",
  links: "links",
  directory: "directory",
} as const;

const isKnown = (name: string): name is keyof typeof words => Object.hasOwn(words, name);

/** What a cache holds, in words; of one that these pages do not know its own name. */
const nameOf = (name: string): string => (isKnown(name) ? t(`admin.dashboard.caches.names.${words[name]}`) : name);

function CacheTable({ caches }: { readonly caches: readonly Counts[] }) {
  const language = useLanguage();
  const number = new Intl.NumberFormat(languages[language].locale);
  return (
    <table className="w-full">
      <thead>
        <tr className="border-line border-b text-left text-muted text-xs">
          <th className="pb-2 font-normal">{t("admin.dashboard.caches.name")}</th>
          <th className="pb-2 text-right font-normal">{t("admin.dashboard.caches.entries")}</th>
          <th className="w-2/5 pb-2 pl-6 font-normal sm:w-1/2">{t("admin.dashboard.caches.hits")}</th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {caches.map((cache) => (
          <tr key={cache.name}>
            <th scope="row" className="py-2 text-left font-medium">
              {nameOf(cache.name)}
            </th>
            <td className="py-2 text-right tabular-nums">{number.format(cache.cacheSize)}</td>
            <td className="py-2 pl-6">
              <HitRate cache={cache} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function HitRate({ cache: { hits, misses, expired, hitRate } }: { readonly cache: Counts }) {
  if (hits + misses + expired === 0)
    return <span className="text-[13px] text-muted">{t("admin.dashboard.caches.unasked")}</span>;
  const percent = Math.round(hitRate * 100);
  return (
    <span className="flex items-center gap-3">
      <span aria-hidden className="h-1.5 flex-1 overflow-hidden rounded-full bg-line">
        <span className="block h-full rounded-full bg-accent" style={{ width: `${percent}%` }} />
      </span>
      <span className="w-10 shrink-0 text-right text-[13px] tabular-nums">{percent}%</span>
    </span>
  );
}

const EVERYTHING = "";

function Clearing() {
  useLanguage();
  const { data: mounts = [] } = useMounts();
  const { mutate, data: cleared, error, isPending } = useClearCaches();
  const [chosen, setChosen] = useState(EVERYTHING);
  const mount = mounts.find(({ id }) => id === chosen);
  const choices = [
    { value: EVERYTHING, label: t("admin.dashboard.caches.everything") },
    ...mounts.map(({ id, mount_path }) => ({ value: id, label: mount_path })),
  ];
  return (
    <div className="mt-4 flex flex-wrap items-center gap-2 border-line border-t pt-4">
      <SelectField
        hiddenLabel
        label={t("admin.dashboard.caches.scope")}
        choices={choices}
        value={mount?.id ?? EVERYTHING}
        onChoose={setChosen}
        className="w-48 max-w-full"
      />
      <Button busy={isPending} onClick={() => mutate(mount?.id)}>
        {isPending ? t("admin.dashboard.caches.clearing") : t("admin.dashboard.caches.clear")}
      </Button>
      <p role="status" className="text-[13px] text-muted">
        {cleared !== undefined && !isPending && !error && t("admin.dashboard.caches.cleared", { count: cleared })}
      </p>
      {error && (
        <Notice tone={failureTone(error)} className="w-full">
          {failureText(error)}
        </Notice>
      )}
    </div>
  );
}
