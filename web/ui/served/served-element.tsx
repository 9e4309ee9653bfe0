/** What the server has written of a share, in the place where the app will show it. */
export const ServedElement = ({ element }: { readonly element: Element }) => (
  <div className="contents" ref={(place) => void (element.parentNode === place || place?.append(element))} />
);
