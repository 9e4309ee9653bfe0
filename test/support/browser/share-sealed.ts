import type { FileRecord } from "#contract/files";
import { newIdentity } from "../../../web/sealed/locks.ts";
import { type SealedNames, sealNames } from "../../../web/sealed/names.ts";
import { sealFile } from "../../../web/sealed/seal.ts";
import type { Journey } from "./journey.ts";

interface Given extends Partial<Pick<SealedNames, "kind">> {
  readonly name: string;
  readonly type: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
  /** In place of a key in the link. */
  readonly password?: string;
  /** Changes the sealed bytes before they are sent. */
  readonly spoil?: (sealed: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>;
  /** Such as `max_views`. */
  readonly options?: Readonly<Record<string, string>>;
}

/** A sealed share, made as a page makes it. */
export interface MadeSealed {
  readonly record: FileRecord;
  /** Empty where a password opens it. */
  readonly key: string;
  /** Path and fragment of its link. */
  readonly path: string;
}

/** Seals content and shares it. */
export async function shareSealed(journey: Pick<Journey, "shareFile">, given: Given): Promise<MadeSealed> {
  const { key, names, bytes } = await sealContent(given);
  const record = await journey.shareFile(new File([bytes], "sealed.age"), { sealed: names, ...given.options });
  return { record, key, path: pathOf(record, key) };
}

/** Seals content and begins to share it: its link is there before its file, which `finish` brings. */
export async function beginSealed(journey: Pick<Journey, "call">, given: Given) {
  const { key, names, bytes } = await sealContent(given);
  const { data } = await journey.call<{ data: { file_id: string; slug: string; upload_url: string } }>(
    "POST",
    "/api/s3/presign",
    { filename: "sealed.age", mimetype: null, size: bytes.length, sealed: names },
  );
  return {
    path: pathOf(data, key),
    async finish(): Promise<void> {
      const { ok } = await fetch(data.upload_url, { method: "PUT", body: bytes });
      if (!ok) throw new Error("The storage has not taken the file.");
      await journey.call("POST", "/api/s3/commit", { file_id: data.file_id });
    },
  };
}

const pathOf = ({ slug }: Pick<FileRecord, "slug">, key: string): string => `/s/${slug}${key && `#${key}`}`;

async function sealContent(given: Given) {
  const { name, type, kind = "file", content, password, spoil = (bytes) => bytes } = given;
  const key = password === undefined ? await newIdentity() : "";
  const lock = password === undefined ? { identity: key } : { password };
  const plain = new Blob([content]);
  const sealed = await sealFile(plain, lock);
  const fileKey = password === undefined ? {} : { fileKey: sealed.state.fileKey.toBase64() };
  const names = await sealNames({ name, type, kind, size: plain.size, ...fileKey }, lock);
  return { key, names, bytes: spoil(await (await sealed.slice(0, sealed.size)).bytes()) };
}
