/** Lets the browser say, until it is disposed, that it is used by touch: a field that gets the focus brings up a keyboard. */
export function byTouch(): Disposable {
  const { matchMedia } = window;
  const answered = (media: MediaQueryList, query: string, name: string | symbol) => {
    if (name === "matches") return query.includes("coarse");
    const part: unknown = Reflect.get(media, name);
    return typeof part === "function" ? part.bind(media) : part;
  };
  window.matchMedia = (query) =>
    new Proxy(matchMedia.call(window, query), { get: (media, name) => answered(media, query, name) });
  return {
    [Symbol.dispose]() {
      window.matchMedia = matchMedia;
    },
  };
}
