import { t } from "../../../i18n/i18n.ts";
import { Creator, type Made, Moment } from "./row-parts.tsx";
import type { Column } from "./share-list.tsx";

/** When a share was made; the administrator, who sees everybody's, learns by whom, too. */
export const createdColumn = (admin: boolean): Column<Made & { readonly created_at: string }> => ({
  name: t("admin.list.created"),
  sort: "created",
  looks: "w-30 whitespace-nowrap md:max-xl:hidden",
  show: ({ created_at }) => <Moment at={created_at} />,
  ...(admin ? { below: { name: t("admin.list.by"), show: (share) => <Creator share={share} /> } } : {}),
});

/** When a share expires. */
export const expiresColumn = (): Column<{ readonly expires_at: string | null }> => ({
  name: t("admin.list.expires"),
  sort: "expires",
  looks: "w-28 whitespace-nowrap",
  show: ({ expires_at }) => <Moment at={expires_at} ends />,
});
