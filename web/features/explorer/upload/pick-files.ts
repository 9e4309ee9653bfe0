interface Picking {
  readonly many: boolean;
  /** Whether a folder is chosen, with all files in it. */
  readonly folder?: boolean;
  /** Endings and media types that are offered first; all unless said. */
  readonly accept?: readonly string[];
  /** Whether a phone offers its camera in place of its files. */
  readonly camera?: boolean;
  readonly label: string;
}

/** Lets somebody choose files, or a folder, of their device. */
export function pickFiles(
  { many, folder = false, accept = [], camera = false, label }: Picking,
  onPick: (files: readonly File[]) => void,
): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = many;
  input.webkitdirectory = folder;
  input.accept = accept.join(",");
  if (camera) input.setAttribute("capture", "environment");
  input.hidden = true;
  input.setAttribute("aria-label", label);
  const end = () => input.remove();
  input.addEventListener("change", () => {
    const files = Array.from(input.files ?? []);
    end();
    if (files.length > 0) onPick(files);
  });
  input.addEventListener("cancel", end);
  // Some browsers forget a field that stands nowhere.
  document.body.append(input);
  input.click();
}
