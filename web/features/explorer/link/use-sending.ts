import { useEffect, useState } from "react";
import type { Uploads } from "../../../transfer/uploads.ts";
import { dropSending, keepSending, keptSending, newReceipt, say } from "./visits.ts";

/**
 * What a sender sends by a link, and says with it. The tab keeps it, so that after a reload they still see what has arrived, may take it
 * back, and send more under the same receipt.
 */
export function useSending(slug: string, uploads: Uploads, begun: boolean) {
  const [kept, setKept] = useState(() => keptSending(slug));
  const [receipt, setReceipt] = useState(() => kept?.receipt ?? newReceipt());
  const [sender, setSender] = useState(kept?.sender ?? "");
  const [message, setMessage] = useState("");
  const [isTakenBack, setTakenBack] = useState(false);
  useEffect(() => say(slug, { receipt, sender, message }), [slug, receipt, sender, message]);
  useEffect(() => {
    if (begun && !isTakenBack) keepSending(slug, { receipt, sender });
  }, [slug, begun, isTakenBack, receipt, sender]);
  /** The next files are another sending. */
  const forget = () => {
    dropSending(slug);
    setKept(undefined);
  };
  return {
    receipt,
    sender,
    setSender,
    message,
    setMessage,
    isTakenBack,
    /** Whether the receipt is that of files which were sent before the page was loaded again. */
    isKept: kept !== undefined,
    forget,
    takeBack() {
      forget();
      setTakenBack(true);
    },
    again() {
      uploads.clear();
      forget();
      setReceipt(newReceipt());
      setTakenBack(false);
    },
  };
}
