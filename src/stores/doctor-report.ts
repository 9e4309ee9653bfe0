import type { Language } from "#contract/messages/sentence";
import { type Examination, examinations, type StorageReport } from "#contract/storage";
import type { Finding, Visit } from "./doctor-visit.ts";
import { listOf, nameOf, say, tell } from "./doctor-words.ts";

type Told = StorageReport["result"]["steps"][number];

export interface Report {
  /** One sentence about all of it. */
  readonly message: string;
  readonly data: StorageReport;
}

/** What a test found, in one language; beside its steps in the shape that clients made for CloudPaste show. */
export function reportOf(visit: Visit, language: Language): Report {
  const steps = examinations.flatMap((id) => visit.findings.get(id) ?? []).map((finding) => told(finding, language));
  const step = (id: Examination): Told => steps.find((one) => one.id === id) ?? missing(id);
  const message = summary(steps, visit, language);
  return {
    message,
    data: {
      success: steps.every(({ success }) => success),
      result: {
        steps,
        read: readOf(visit, step),
        write: writeOf(visit, step("write")),
        cors: corsOf(visit, step("cors")),
        frontendSim: simulationOf(visit, step),
        connectionInfo: connectionOf(visit),
        globalNote: message,
      },
    },
  };
}

/** What could not be tried is no success, what need not be tried is. */
const told = ({ id, outcome, duration, found, advice }: Finding, language: Language): Told => ({
  id,
  name: nameOf(id, language),
  success: outcome === "passed" || outcome === "needless",
  skipped: outcome === "needless" || outcome === "untried",
  duration,
  message: tell(found, language),
  advice: advice ? tell(advice, language) : null,
});

const missing = (id: Examination): never => {
  throw new Error(`No finding of ${id}`);
};

function summary(steps: readonly Told[], { findings, keys, cleaned }: Visit, language: Language): string {
  const ids = (which: (step: Told) => boolean) => steps.filter(which).map(({ id }) => id);
  const ill = ids(({ success, skipped }) => !success && !skipped);
  const late = ids(({ success }) => !success);
  const advised = ids(({ advice }) => advice !== null);
  const sentences = [];
  if (late.length > 0) sentences.push(say("ill", { steps: listOf(ill.length > 0 ? ill : late, language) }));
  else if (advised.length > 0) sentences.push(say("advised", { steps: listOf(advised, language) }));
  else sentences.push(say("healthy"));
  if (!cleaned && findings.get("write")?.outcome === "passed") sentences.push(say("left", { file: `${keys.whole}*` }));
  return sentences.map((phrase) => tell(phrase, language)).join(language === "zh" ? "" : " ");
}

type Find = (id: Examination) => Told;

const halfOf = ({ success, message, advice }: Told) => ({
  success,
  error: success ? null : message,
  note: advice ?? message,
});

function readOf({ config, findings }: Visit, step: Find): StorageReport["result"]["read"] {
  const bad = [step("list"), step("read")].find(({ success }) => !success);
  const objectCount = findings.get("list")?.count ?? 0;
  return { ...halfOf(bad ?? step("list")), objectCount, prefix: config.default_folder };
}

const writeOf = ({ keys, cleaned }: Visit, step: Told): StorageReport["result"]["write"] => ({
  ...halfOf(step),
  uploadTime: step.duration,
  testFile: keys.whole,
  cleaned,
});

function corsOf({ findings }: Visit, step: Told): StorageReport["result"]["cors"] {
  const { preflight } = findings.get("cors") ?? {};
  return {
    ...halfOf(step),
    allowOrigin: preflight?.allowOrigin ?? null,
    allowMethods: preflight?.allowMethods ?? null,
    allowHeaders: preflight?.allowHeaders ?? null,
    maxAge: preflight?.maxAge ?? null,
    statusCode: preflight?.status ?? null,
    detail: step.message,
    uploadSupported: step.success,
  };
}

/** As a page uploads: it may, it does, the file is there. */
function simulationOf({ keys }: Visit, step: Find): StorageReport["result"]["frontendSim"] {
  const three = [step("cors"), step("etag_exposed"), step("head")] as const;
  const [step1, step2, step3] = three;
  const at = three.findIndex(({ success }) => !success);
  const bad = three[at];
  const shown = ({ name, success, duration, message: note }: Told) => ({ name, success, duration, note });
  return {
    ...halfOf(bad ?? step2),
    steps: { step1: shown(step1), step2: shown(step2), step3: shown(step3) },
    totalDuration: three.reduce((sum, { duration }) => sum + duration, 0),
    testFile: keys.page,
    failedAt: bad ? `step${at + 1}` : null,
  };
}

const connectionOf = ({ config }: Visit): StorageReport["result"]["connectionInfo"] => ({
  bucket: config.bucket_name,
  endpoint: config.endpoint_url,
  region: config.region,
  pathStyle: config.path_style === 1,
  provider: config.provider_type,
  defaultFolder: config.default_folder,
  customHost: config.custom_host,
  signatureExpiresIn: config.signature_expires_in,
});
