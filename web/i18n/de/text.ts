import type { Shape } from "../shape.ts";
import type { text as zh } from "../zh/text.ts";

/** Words of the viewer of texts: as they were written, and as what they mean. */
export const text: Shape<typeof zh> = {
  unread: {
    broken:
      "Diese Datei ist beschädigt oder nicht das, was ihr Name sagt, und lässt sich hier nicht anzeigen. Lade sie herunter, um sie zu öffnen.",
    tooLarge: "Entpackt ist diese Datei zu groß, um sie hier anzuzeigen. Lade sie herunter, um sie zu öffnen.",
    encrypted:
      "Diese Datei ist mit einem Passwort geschützt und lässt sich hier nicht öffnen. Lade sie herunter, um sie zu öffnen.",
    late: "Das Lesen dieser Datei hat zu lange gedauert und wurde abgebrochen. Lade sie herunter, um sie zu öffnen.",
    unsupported: "Dieser Browser kann dieses Format nicht entpacken. Lade die Datei herunter, um sie zu öffnen.",
  },
  look: { markdown: "Lesen", html: "Seite", csv: "Tabelle", json: "Baum" },
  view: {
    shownAs: "Ansicht",
    source: "Quelltext",
    encoding: "Kodierung",
    detected: "{{encoding}} (auto)",
    head: "Nur die ersten {{shown}} von {{whole}} werden angezeigt. Lade die Datei herunter, um alles zu sehen.",
    wrap: "Zeilen umbrechen",
    copy: "Text kopieren",
    counts: { one: "{{count}} Zeile, {{characters}}", other: "{{count}} Zeilen, {{characters}}" },
    characters: { one: "{{count}} Zeichen", other: "{{count}} Zeichen" },
  },
};
