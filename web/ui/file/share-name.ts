import type { FileRecord } from "#contract/files";
import { t } from "../../i18n/i18n.ts";
import { shownName } from "../../lib/shown-name.ts";

/** What a share is called where its owner sees it; the name of a sealed one is nobody's but its readers'. */
export const shareName = ({ filename, sealed }: Pick<FileRecord, "filename" | "sealed">): string =>
  sealed ? t("file.sealed.name") : shownName(filename);
