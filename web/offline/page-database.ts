import { version } from "../../package.json";
import { openDatabase } from "./database.ts";

function createPageDatabase() {
  let opening: ReturnType<typeof openDatabase> | undefined;
  return () => {
    opening ??= openDatabase(version);
    return opening;
  };
}

/** Returns the offline database of this page, which is opened at the first call. Rejects where the browser has no databases. */
export const pageDatabase = createPageDatabase();
