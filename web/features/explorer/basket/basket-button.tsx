import ShoppingBasket from "lucide-react/icons/shopping-basket";
import { useEffect } from "react";
import { useSession } from "../../../api/session/session.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useStore } from "../../../lib/store.ts";
import { IconButton } from "../../../ui/button.tsx";
import { basketOpen } from "../open-sheets.ts";
import { basket } from "./basket.ts";
import { BasketSheet } from "./basket-sheet.tsx";

/** The largest number on the badge. */
const MOST = 99;

/** Opens the basket, and says how much is in it. */
export function BasketButton() {
  useLanguage();
  const { length: count } = useStore(basket.items);
  const { authType } = useSession();
  // biome-ignore lint/correctness/useExhaustiveDependencies: somebody else has another basket.
  useEffect(basket.recall, [authType]);
  return (
    <span className="relative">
      <IconButton
        label={t("basket.open", { count })}
        title={t("basket.title")}
        onClick={() => basketOpen.set(true)}
        // The bar of a phone has no place for an empty one.
        className={count === 0 ? "max-sm:hidden" : ""}
      >
        <ShoppingBasket aria-hidden />
      </IconButton>
      {/* Who does not see the badge hears it. */}
      <span role="status" className="sr-only">
        {count > 0 ? t("basket.open", { count }) : ""}
      </span>
      {count > 0 && (
        <span
          aria-hidden
          className="pointer-events-none absolute -top-0.5 -right-0.5 min-w-[18px] rounded-full bg-accent px-1 text-center font-semibold text-[11px] text-accent-text tabular-nums leading-[18px]"
        >
          {count > MOST ? `${MOST}+` : count}
        </span>
      )}
    </span>
  );
}

/** The basket at the side, while it is open. */
export function Basket() {
  const open = useStore(basketOpen);
  return open ? <BasketSheet onClose={() => basketOpen.set(false)} /> : null;
}
