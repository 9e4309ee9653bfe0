import { version } from "../../package.json";
import { openDatabase } from "./database.ts";

function createPageDatabase() {
  let opening: ReturnType<typeof openDatabase> | undefined;
  return () => {
    opening ??= openDatabase(version);
    return opening;
  };
}

/** The offline database of this page, opened when it is first wanted. Rejects where the browser keeps no databases. */
export const pageDatabase = createPageDatabase();
