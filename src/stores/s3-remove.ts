import { checkKey } from "./s3-address.ts";
import type { Control } from "./s3-control.ts";
import type { Retries } from "./s3-retries.ts";
import { isMissing, Refusal } from "./s3-trouble.ts";

interface RemoveNeeds {
  readonly control: Control;
  readonly retries: Retries;
  readonly bucket: string;
}

/** Keys of one DeleteObjects. */
const BATCH = 1000;

/** Removes objects, one or many. What cannot be removed does not keep the others; its failure is thrown in the end. */
export function createRemove({ control, retries, bucket }: RemoveNeeds) {
  /** DeleteObject, which every storage knows. */
  const removeOne = async (key: string): Promise<void> => {
    await control
      .ask(({ sdk, client }) => client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: key })))
      .catch((error) => {
        if (!isMissing(error)) throw error;
      });
  };

  /** DeleteObjects; answers the keys that it failed for, with its word for it. */
  const removeMany = async (keys: readonly string[]): Promise<Map<string, Refusal>> => {
    const input = { Bucket: bucket, Delete: { Quiet: true, Objects: keys.map((Key) => ({ Key })) } };
    const { Errors = [] } = await control.ask(({ sdk, client }) =>
      client.send(new sdk.DeleteObjectsCommand(input), control.slow),
    );
    const failed = Errors.map(({ Key = "", Code = "" }) => [Key, new Refusal(200, Code)] as const);
    return new Map(failed.filter(([, refusal]) => !isMissing(refusal)));
  };

  const removeBatch = (keys: readonly string[]): Promise<void> => {
    let left = keys;
    return retries.again(async () => {
      if (left.length === 1) return await removeOne(left[0] ?? "");
      const failed = await removeMany(left);
      left = [...failed.keys()];
      for (const refusal of failed.values()) throw refusal;
    });
  };

  return async (keys: readonly string[]): Promise<void> => {
    keys.forEach(checkKey);
    const failures: unknown[] = [];
    for (let at = 0; at < keys.length; at += BATCH) {
      await removeBatch(keys.slice(at, at + BATCH)).catch((error) => failures.push(error));
    }
    for (const failure of failures) throw failure;
  };
}
