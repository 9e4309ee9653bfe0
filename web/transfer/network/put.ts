import { failed } from "../failures.ts";
import type { Put } from "../ports.ts";

/** Sends bytes by XMLHttpRequest: fetch reports no upload progress. */
export const putByXhr: Put = ({ url, body, headers, signal, onProgress }) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    const settle = (act: () => void) => () => {
      signal.removeEventListener("abort", abort);
      act();
    };
    request.open("PUT", url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => onProgress(loaded);
    request.onload = settle(() => resolve({ status: request.status, etag: request.getResponseHeader("etag") }));
    request.onerror = settle(() => reject(failed("network")));
    request.onabort = settle(() => reject(failed("aborted")));
    if (signal.aborted) return reject(failed("aborted"));
    signal.addEventListener("abort", abort, { once: true });
    request.send(body);
  });
