import * as file from "chardetng-wasm/dist/chardetng_wasm_bg.wasm" with { type: "file" };
import { type DetectEncoding, encodingDetector } from "#contract/text/encoding-detector";

// The package types what its module exports; as a file it is an address.
const { default: address } = file as unknown as { readonly default: string };

/** Loads the detector. Rejects when it cannot be fetched. */
export async function loadEncodingDetector(): Promise<DetectEncoding> {
  const answer = await fetch(new URL(address, import.meta.url));
  if (!answer.ok) throw new Error(`The encoding detector answered ${answer.status}.`);
  return await encodingDetector(await answer.arrayBuffer());
}
