import { Failure, type FailureCode, type FailureDetails } from "#contract/failures";
import type { Language, Translation } from "#contract/languages";
import { filled, sentence } from "#contract/messages/sentence";
import type { Examination } from "#contract/storage-report";
import { de } from "./words/de.ts";
import { en } from "./words/en.ts";
import { es } from "./words/es.ts";
import { fr } from "./words/fr.ts";
import { ja } from "./words/ja.ts";
import { zh } from "./words/zh.ts";

/** What the storage test says, in each language. */
const dictionaries: Readonly<Record<Language, Translation<typeof en>>> = { en, zh, ja, es, de, fr };

export type Word = keyof typeof en.sentences;

/** A sentence in no language yet: a failure, or a word with the values of its gaps. */
type Phrase = Failure | { readonly word: Word; readonly details: FailureDetails };

/** The result of one check. */
export interface Result {
  /** `notNeeded` has no meaning for this storage; `notTried` had no chance because of what failed before. */
  readonly outcome: "passed" | "failed" | "notNeeded" | "notTried";
  readonly found: Phrase;
  readonly advice?: Word | undefined;
  /** Of `list`: the number of files in the default folder, at most 1,000. */
  readonly count?: number;
  /** Of `cors`: the answer to the preflight; each header at most 200 characters. */
  readonly preflight?: Preflight;
}

export type Preflight = { readonly statusCode: number } & Readonly<
  Record<"allowOrigin" | "allowMethods" | "allowHeaders" | "maxAge", string | null>
>;

const resultOf =
  (outcome: Result["outcome"]) =>
  (word: Word, details: FailureDetails = {}, advice?: Word): Result => ({ outcome, found: { word, details }, advice });

export const passed = resultOf("passed");
export const failed = resultOf("failed");
export const notNeeded = resultOf("notNeeded");
export const notTried = resultOf("notTried");

const adviceByCode: Partial<Readonly<Record<FailureCode, Word>>> = {
  "storage.unreachable": "adviceEndpoint",
  "storage.addressRefused": "adviceEndpoint",
  "storage.refused": "adviceKeys",
  "storage.bucketMissing": "adviceBucket",
  "storage.region": "adviceRegion",
  "storage.clock": "adviceClock",
  "storage.full": "adviceSpace",
  "storage.busy": "adviceRetry",
  "storage.broken": "adviceNotS3",
};

/** The result of a check that ended with a failure of the store. */
export const failedWith = (failure: Failure): Result => ({
  outcome: "failed",
  found: failure,
  advice: adviceByCode[failure.code],
});

/** Makes sentences in one language. */
export function speak(language: Language) {
  const { names, sentences, between } = dictionaries[language];
  return {
    nameOf: (id: Examination): string => names[id],
    tell: (phrase: Phrase): string =>
      phrase instanceof Failure ? sentence(phrase, language) : filled(sentences[phrase.word], phrase.details),
    list: (ids: readonly Examination[]): string => ids.map((id) => names[id]).join(between.words),
    join: (parts: readonly string[]): string => parts.join(between.sentences),
  };
}
