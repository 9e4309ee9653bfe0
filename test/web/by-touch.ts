/** Lets the browser say, until it is disposed, that it is used by touch: a field that gets the focus brings up a keyboard. */
export function byTouch(): Disposable {
  const { matchMedia } = window;
  window.matchMedia = (query) =>
    new Proxy(matchMedia.call(window, query), {
      get: (media, name) => (name === "matches" ? query.includes("coarse") : Reflect.get(media, name)),
    });
  return {
    [Symbol.dispose]() {
      window.matchMedia = matchMedia;
    },
  };
}
