import type { Examination, StorageReport } from "#contract/storage-report";
import type { House } from "../../../house.ts";

type Report = Awaited<ReturnType<House["stores"]["doctor"]["examine"]>>;
type Result = StorageReport["result"];
type Step = Result["steps"][number];
type StepOf = (id: Examination) => Step;

/** Returns the report in the shape of CloudPaste, whose clients show its parts, with all steps beside them. */
export function storageReport(report: Report): StorageReport {
  const steps = report.steps.map(stepOf);
  const step: StepOf = (id) => {
    const found = steps.find((one) => one.id === id);
    if (!found) throw new Error(`No step ${id}`);
    return found;
  };
  return {
    success: steps.every(({ success }) => success),
    result: {
      steps,
      read: readOf(report, step),
      write: writeOf(report, step("write")),
      cors: corsOf(report, step("cors")),
      frontendSim: uploadOf(report, step),
      connectionInfo: connectionOf(report),
      globalNote: report.message,
    },
  };
}

const stepOf = ({ id, name, outcome, duration, message, advice }: Report["steps"][number]): Step => ({
  id,
  name,
  success: outcome === "passed" || outcome === "notNeeded",
  skipped: outcome === "notNeeded" || outcome === "notTried",
  duration,
  message,
  advice,
});

const noteOf = ({ success, message, advice }: Step) => ({
  success,
  error: success ? null : message,
  note: advice ?? message,
});

function readOf({ config, steps }: Report, step: StepOf): Result["read"] {
  const bad = [step("list"), step("read")].find(({ success }) => !success);
  const objectCount = steps.find(({ id }) => id === "list")?.count ?? 0;
  return { ...noteOf(bad ?? step("list")), objectCount, prefix: config.default_folder };
}

const writeOf = ({ files, cleaned }: Report, step: Step): Result["write"] => ({
  ...noteOf(step),
  uploadTime: step.duration,
  testFile: files.file,
  cleaned,
});

const noPreflight = { allowOrigin: null, allowMethods: null, allowHeaders: null, maxAge: null, statusCode: null };

const corsOf = ({ steps }: Report, step: Step): Result["cors"] => ({
  ...noteOf(step),
  ...(steps.find(({ id }) => id === "cors")?.preflight ?? noPreflight),
  detail: step.message,
  uploadSupported: step.success,
});

/** An upload as a page does it: the preflight, the upload, the file. */
function uploadOf({ files }: Report, step: StepOf): Result["frontendSim"] {
  const three = [step("cors"), step("etag_exposed"), step("head")] as const;
  const [step1, step2, step3] = three;
  const at = three.findIndex(({ success }) => !success);
  const bad = three[at];
  const shown = ({ name, success, duration, message: note }: Step) => ({ name, success, duration, note });
  return {
    ...noteOf(bad ?? step2),
    steps: { step1: shown(step1), step2: shown(step2), step3: shown(step3) },
    totalDuration: three.reduce((sum, { duration }) => sum + duration, 0),
    testFile: files.page,
    failedAt: bad ? `step${at + 1}` : null,
  };
}

const connectionOf = ({ config }: Report): Result["connectionInfo"] => ({
  bucket: config.bucket_name,
  endpoint: config.endpoint_url,
  region: config.region,
  pathStyle: config.path_style === 1,
  provider: config.provider_type,
  defaultFolder: config.default_folder,
  customHost: config.custom_host,
  signatureExpiresIn: config.signature_expires_in,
});
