/** What an error says to whoever reads it. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
