import { storageReport } from "../../../src/fronts/rest/admin/storage-report.ts";
import type { Resolve } from "../../../src/lib/addresses.ts";
import { createDoctor } from "../../../src/stores/doctor/doctor.ts";
import type { Limits } from "../../../src/stores/doctor/storage-test.ts";
import type { S3StoreOptions } from "../../../src/stores/s3/store.ts";
import type { TestHouse } from "../test-house.ts";
import { PAGE, sortOut } from "./examine.ts";

const LIMITS: Limits = { step: 5000, parts: 10_000, whole: 120_000, cleaning: 8000 };

interface RunOptions {
  /** How the storage is reached, where that is not how it is configured. */
  readonly connection: Pick<S3StoreOptions, "endpoint" | "bucket"> & Partial<S3StoreOptions>;
  readonly limits?: Partial<Limits>;
  readonly origin?: string;
  readonly resolve?: Resolve;
}

/** Has a storage tested by a doctor in a hurry: what waits for ever here would take a minute there. */
export async function runDoctor(
  { house }: TestHouse,
  storage: string,
  { connection, limits, origin, ...fields }: RunOptions,
) {
  const whole: S3StoreOptions = {
    accessKey: "key",
    secret: "secret",
    region: "",
    pathStyle: true,
    provider: "Other",
    clock: Date.now,
    fetch,
    sleep: async () => undefined,
    random: () => 0,
    ...connection,
  };
  const of = () => {
    throw new Error("There is no built-in storage here.");
  };
  const stores = { configs: house.stores.configs, of, connection: () => whole };
  // Whatever the name, nobody outside is asked for it.
  const resolve = fields.resolve ?? (async () => ["192.0.2.1"]);
  const doctor = createDoctor({ stores, clock: Date.now, log: house.log, limits: { ...LIMITS, ...limits }, resolve });
  const report = await doctor.examine(storage, { origin: origin ?? PAGE, language: "en" });
  const data = storageReport(report);
  return { message: report.message, data, ...sortOut(data) };
}
