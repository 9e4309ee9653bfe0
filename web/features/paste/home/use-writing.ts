import { useEffect, useState } from "react";
import { useStore } from "../../../lib/store.ts";
import { writing } from "./writing.ts";

/** The text being written, stored as a draft whenever the page is left. */
export function useWriting() {
  useState(() => writing.restore());
  useEffect(() => {
    addEventListener("pagehide", writing.flush);
    return () => {
      removeEventListener("pagehide", writing.flush);
      writing.flush();
    };
  }, []);
  return {
    text: useStore(writing.text),
    options: useStore(writing.options),
    unkept: useStore(writing.unkept),
  };
}
