import { afterAll } from "bun:test";
import { freePort } from "../servers/free-port.ts";
import { passOn, serveProxy } from "./proxy.ts";

/** A way to a server that can be cut: the browser takes itself for connected, and nobody answers. */
export function startSwitch(target: string) {
  const port = freePort();
  const way = () => serveProxy((request) => passOn(target, request), port);
  let proxy = way();
  afterAll(() => proxy.stop(true));
  return {
    address: proxy.url.origin,
    cut: () => void proxy.stop(true),
    join: () => {
      proxy = way();
    },
  };
}
