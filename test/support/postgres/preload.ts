import { cluster } from "./cluster.ts";

/** Has the tests of the server run on PostgreSQL (test-database.ts). */
await cluster();
