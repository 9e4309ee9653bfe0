import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { providerName } from "../../../../ui/provider-name.ts";
import { type Bucket, providerShares } from "./fill.ts";

/** From the largest share to the smallest; what comes after them is as the last. */
const shades = ["bg-accent", "bg-accent/65", "bg-accent/40", "bg-muted/60", "bg-muted/35"] as const;

/** Whose the storages are, as one bar and in words. */
export function Providers({ buckets }: { readonly buckets: readonly Bucket[] }) {
  useLanguage();
  const shares = providerShares(buckets).map((one, index) => ({ ...one, shade: shades[index] ?? "bg-muted/35" }));
  return (
    <div className="mt-auto pt-5">
      <h3 className="mb-2 text-[13px] text-muted">{t("admin.dashboard.providers.title")}</h3>
      <div aria-hidden className="flex h-1.5 gap-0.5 overflow-hidden rounded-full">
        {shares.map(({ provider, share, shade }) => (
          <div key={provider} className={shade} style={{ width: `${share * 100}%` }} />
        ))}
      </div>
      <ul className="mt-2.5 grid grid-cols-1 gap-1.5">
        {shares.map(({ provider, count, share, shade }) => (
          <li key={provider} className="flex items-center gap-2 text-[13px]">
            <span aria-hidden className={`size-2.5 shrink-0 rounded-[3px] ${shade}`} />
            <span className="min-w-0 truncate">{providerName(provider)}</span>
            <span className="ml-auto shrink-0 text-muted tabular-nums">
              {t("admin.dashboard.providers.share", { count, percent: Math.round(share * 100) })}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
