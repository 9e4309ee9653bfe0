/** The letters of a recipient, which two people read to each other. */
export const ComparedLetters = ({ letters }: { readonly letters: readonly string[] }) => (
  <p data-compared className="font-mono text-lg tracking-wide">
    {letters.join(" ")}
  </p>
);
