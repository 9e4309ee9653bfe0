/** Reports whether the keyboard is most likely one of Apple's. */
export const onMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent);

/** A shortcut with the system's main modifier, as its keys are labelled: "Ctrl+V", "⌘V". */
export const keyName = (key: string): string => (onMac() ? `⌘${key === "Enter" ? "↵" : key}` : `Ctrl+${key}`);
