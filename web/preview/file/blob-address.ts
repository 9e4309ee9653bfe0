import { useEffect, useState } from "react";

/** An address of bytes for as long as they are on view; undefined until there are some. */
export function useBlobAddress(bytes: Blob | undefined): string | undefined {
  const [made, setMade] = useState<{ readonly of: Blob; readonly address: string }>();
  useEffect(() => {
    if (!bytes) return;
    const address = URL.createObjectURL(bytes);
    setMade({ of: bytes, address });
    return () => {
      setMade(undefined);
      URL.revokeObjectURL(address);
    };
  }, [bytes]);
  // That of other bytes is not shown in between.
  return made?.of === bytes ? made?.address : undefined;
}
