import { onStorageChange } from "../../../api/storage-changes.ts";
import { browserPorts } from "../../../transfer/browser.ts";
import { createCrossCopy } from "../../../transfer/cross-copy.ts";
import { createCarry } from "./carry-copies.ts";
import { pageTasks } from "./page-tasks.ts";

const cross = createCrossCopy({ ...browserPorts, fetch: (address, signal) => fetch(address, { signal }) });

onStorageChange(cross.reconsider);

/** Copies between storages through this page. */
export const carryCopies = createCarry({ cross, tasks: pageTasks });
