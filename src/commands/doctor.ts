import type { Config } from "../config.ts";
import { examine } from "../doctor/doctor.ts";
import type { Finding } from "../doctor/finding.ts";

/** Columns of the state and of the subject. */
const [STATE, SUBJECT] = [9, 16];

/** Prints what is found as it is found. Throws a sentence when there is a problem. */
export async function doctor(config: Config, print: (text: string) => void): Promise<void> {
  let problems = 0;
  for await (const finding of examine(config, Date.now())) {
    if (finding.state === "problem") problems += 1;
    print(lineOf(finding));
  }
  if (problems > 0) throw new Error(problems === 1 ? "There is a problem." : `There are ${problems} problems.`);
}

function lineOf({ state, subject, text, advice }: Finding): string {
  const line = `${state.padEnd(STATE)}${subject.padEnd(SUBJECT)} ${text}\n`;
  return advice === undefined ? line : `${line}${" ".repeat(STATE + SUBJECT + 1)}${advice}\n`;
}
