import { Failure, type FailureCode, failureStatus } from "#contract/failures";
import { bounds } from "#contract/messages/bounds";
import { en } from "#contract/messages/en";
import { zh } from "#contract/messages/zh";
import { statusOf as davStatus } from "../../../src/fronts/dav/failures.ts";
import type { HostileAnswer } from "./answers.ts";
import type { HostileRequest } from "./requests.ts";
import type { Outcome } from "./sender.ts";
import { MARK } from "./values.ts";

/** What must not stand in any answer to a failure. */
export interface Secrets {
  /** Folders of the machine. */
  readonly folders: readonly string[];
}

/** What Bun itself answers to bytes that are no HTTP, before any code of ours runs. */
const parserStatus = new Set([400, 413, 414, 431, 505]);

/** What HTTP's conditions and ranges say without a word (RFC 9110 sections 13 and 14). */
const withoutBody = new Set([412, 416]);

/** Each answer of ours has this header. */
const isParser = ({ status, headers, body }: HostileAnswer): boolean =>
  !headers.has("referrer-policy") && parserStatus.has(status) && body.length === 0;

/** A share that an earlier request has begun has no file yet: that is nobody's fault. */
const isEarly = ({ status, body }: HostileAnswer): boolean => {
  const text = body.toString("utf8");
  const says = [en, zh].some((sentences) => text.includes(sentences["share.uploading"]));
  return status === failureStatus["share.uploading"] && (says || text === "");
};

const patternOf = (text: string): string => text.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\w+\}/g, "[^\\n]*");

const patterns = [
  { sentences: en, tails: bounds.en },
  { sentences: zh, tails: bounds.zh },
].map(({ sentences, tails }) => {
  const bound = Object.values(tails).map(patternOf).join("|");
  return Object.entries(sentences).map(([code, text]) => ({
    code,
    pattern: new RegExp(`^${patternOf(text)}(${bound})?\\n$`),
  }));
});

const siteSentences = [
  "This address answers GET and HEAD only.\n",
  "This address answers GET and HEAD only. To share a file: curl -F file=@FILE and the address of this site.\n",
  "There is no such file.\n",
];

/** Everything that is wrong with what a request met; empty when all is as documented. */
export function faultsOf(request: HostileRequest, outcome: Outcome, secrets: Secrets): string[] {
  const { answers, rest, took } = outcome;
  if (request.after === "keep") {
    if (answers.length === 0)
      return [`no answer (${Math.round(took / 1000)} s, connection ${outcome.closed ? "closed" : "open"})`];
    if (answers.length > 1) return [`${answers.length} answers to one request`];
    if (rest > 0) return [`${rest} bytes behind the answer`];
  }
  return answers.flatMap((answer) => faultsOfAnswer(request, answer, secrets));
}

function faultsOfAnswer({ method }: HostileRequest, answer: HostileAnswer, { folders }: Secrets): string[] {
  const { status, headers, body } = answer;
  const faults: string[] = [];
  if (status >= 500 && !isParser(answer) && !isEarly(answer))
    faults.push(`status ${status}: ${body.toString("utf8").slice(0, 200)}`);
  if (status < 400) return faults;
  const text = body.toString("utf8");
  if (isParser(answer)) return faults;
  const isEmpty = method === "HEAD" || (withoutBody.has(status) && text === "");
  if (!isEmpty) faults.push(...faultsOfFailure({ method, status, type: headers.get("content-type") ?? "", text }));
  if (text.includes(MARK) && !text.includes('"failed":[{')) faults.push(`an echo: ${text.slice(0, 200)}`);
  if (/\n\s+at |\.(ts|js):\d+|node_modules|bunfs/.test(text)) faults.push(`a stack: ${text.slice(0, 200)}`);
  if (folders.some((folder) => text.includes(folder))) faults.push(`a folder of the disk: ${text.slice(0, 200)}`);
  return faults;
}

/** A failure as it was answered. */
interface Answered {
  readonly method: string;
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

function faultsOfFailure({ method, status, type, text }: Answered): string[] {
  const wrong = [`not as documented: ${status} ${type} ${text.slice(0, 200)}`];
  if (type.startsWith("application/json")) return isEnvelope(status, text) || isRpcError(status, text) ? [] : wrong;
  if (text.includes("<D:error ")) return isDavError(method, status, text) ? [] : wrong;
  if (type.startsWith("application/xml"))
    return /^<\?xml [^>]*>\n<Error><Code>[A-Za-z]+<\/Code><Message>[^<>]*<\/Message><RequestId>[\w-]+<\/RequestId><\/Error>$/.test(
      text,
    )
      ? []
      : wrong;
  if (type.startsWith("text/plain")) return isSentence(status, text) || siteSentences.includes(text) ? [] : wrong;
  return wrong;
}

const statusOf: Readonly<Record<string, number>> = failureStatus;

function isEnvelope(status: number, text: string): boolean {
  const envelope = JSON.parse(text) as Record<string, unknown>;
  const { code, error, message, success, data, failed } = envelope;
  // A batch of which nothing succeeded lists each of its paths or ids with what is wrong with it.
  const isBatch = Array.isArray(failed) && failed.length > 0;
  if (Object.keys(envelope).length !== (isBatch ? 6 : 5) || (!isBatch && data !== null)) return false;
  if (code !== status || success !== false) return false;
  return typeof message === "string" && typeof error === "string" && statusOf[error] === status;
}

/** As MCP says what it refuses: by a code of the protocol, and where it is a failure of ours with that as well. */
function isRpcError(status: number, text: string): boolean {
  const { jsonrpc, error, ...rest } = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const { code, message, data } = (error ?? {}) as Readonly<Record<string, unknown>>;
  const { error: failure } = (data ?? {}) as { readonly error?: string };
  if (jsonrpc !== "2.0" || typeof code !== "number" || typeof message !== "string") return false;
  if (Object.keys(rest).some((name) => name !== "id")) return false;
  return failure === undefined ? status === 400 || status === 404 : statusOf[failure] === status;
}

const DAV_ERROR =
  /^<\?xml [^>]*>\n<D:error xmlns:D="DAV:">(?:<D:([a-z-]+)>(?:<D:href>[^<>]*<\/D:href>)*<\/D:\1>)?<S:failure xmlns:S="urn:satchel" code="([\w.]+)">[^<>]+<\/S:failure><\/D:error>$/;

const isCode = (code: string): code is FailureCode => Object.hasOwn(failureStatus, code);

function isDavError(method: string, status: number, text: string): boolean {
  const code = DAV_ERROR.exec(text)?.[2] ?? "";
  return isCode(code) && davStatus(new Failure(code), method) === status;
}

const isSentence = (status: number, text: string): boolean =>
  patterns.some((sentences) => sentences.some(({ code, pattern }) => statusOf[code] === status && pattern.test(text)));
