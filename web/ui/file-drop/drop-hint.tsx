/** Lies over a box while files are held above it, and says what becomes of them. */
export const DropHint = ({ text }: { readonly text: string }) => (
  <div className="pointer-events-none absolute inset-2 z-20 grid place-items-center rounded-lg border-2 border-accent border-dashed bg-accent-soft/90 font-medium text-accent">
    {text}
  </div>
);
