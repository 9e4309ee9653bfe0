import { t } from "../../../i18n/i18n.ts";

/** A player of an address, which asks for nothing before it is started; its link stands below it, and alone where nothing plays. */
function playerOf(address: string, name: string, kind: string | undefined): HTMLElement {
  const player = document.createElement("span");
  player.className = "md-player";
  const media = document.createElement(kind === "audio" ? "audio" : "video");
  media.controls = true;
  media.preload = "none";
  media.src = address;
  media.setAttribute("aria-label", name);
  if (media instanceof HTMLVideoElement) media.playsInline = true;
  const link = document.createElement("a");
  Object.assign(link, { href: address, textContent: name, target: "_blank", rel: "noopener noreferrer nofollow" });
  media.addEventListener("error", () => {
    const note = document.createElement("small");
    note.textContent = t("reading.markdown.unplayable");
    note.dataset.said = "";
    media.replaceWith(note);
  });
  player.append(media, link);
  return player;
}

/** Puts players in the place of links to videos and sound. */
export function addPlayers(links: readonly HTMLElement[]): void {
  for (const link of links)
    if (link instanceof HTMLAnchorElement)
      link.replaceWith(playerOf(link.href, link.textContent.trim(), link.dataset.media));
}

/** Puts a player in the place of the button that asked for one; who pressed it goes on with the keyboard there. */
export function play(button: HTMLElement): void {
  const { src = "", alt, media } = button.dataset;
  const player = playerOf(src, alt || src, media);
  button.replaceWith(player);
  player.querySelector<HTMLMediaElement>("video, audio")?.focus();
}
