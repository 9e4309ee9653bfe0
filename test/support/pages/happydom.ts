import { GlobalRegistrator } from "@happy-dom/global-registrator";

// happy-dom's own fetch family cannot read what Bun.serve answers, so Bun's stays; but only happy-dom's FormData can read
// its forms.
const native = {
  fetch,
  Request,
  Response,
  Headers,
  Blob,
  File,
  AbortController,
  AbortSignal,
  URL,
  URLSearchParams,
  ReadableStream,
  TransformStream,
  WritableStream,
  TextEncoder,
  TextDecoder,
};
GlobalRegistrator.register({ url: "http://localhost:8787/", width: 1280, height: 800 });
Object.assign(globalThis, native);
