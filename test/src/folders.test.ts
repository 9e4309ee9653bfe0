import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { ConfigError, readConfig } from "../../src/config.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const read = (environment: Record<string, string>) => readConfig([], environment).config.folders;

const problemsOf = (environment: Record<string, string>): string => {
  try {
    read(environment);
    return "";
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.join("\n");
    throw error;
  }
};

describe("FOLDERS", () => {
  test("names folders with their id, which is the last of the path unless it is given", () => {
    expect(read({ FOLDERS: " /srv/photos:photos:ro, /srv/in:in ,/srv/music,/srv/films:ro," })).toEqual({
      folders: [
        { id: "photos", path: "/srv/photos", readOnly: true },
        { id: "in", path: "/srv/in", readOnly: false },
        { id: "music", path: "/srv/music", readOnly: false },
        { id: "films", path: "/srv/films", readOnly: true },
      ],
      modes: { file: 0o644, folder: 0o755 },
    });
    expect(read({})).toMatchObject({ folders: [] });
  });

  test("gives new files and folders other permissions", () => {
    expect(read({ FOLDER_MODE: "0660", FOLDER_DIR_MODE: "770" }).modes).toEqual({ file: 0o660, folder: 0o770 });
  });

  test.each([
    ["photos:photos", "PATH:NAME"],
    ["/srv/Photos", "PATH:NAME"],
    ["/srv/photos:../x", "PATH:NAME"],
    ["/srv/photos:rw:photos:", "PATH:NAME"],
    ["/:root", "PATH:NAME"],
    ["/srv/a:one,/srv/b:one", 'more than one folder "one"'],
  ])("%s is refused", (FOLDERS, words) => {
    expect(problemsOf({ FOLDERS })).toContain(words);
  });

  test.each(["999", "4755", "rw-r--r--", "044", ""])("FOLDER_MODE %p", (FOLDER_MODE) => {
    expect(problemsOf({ FOLDER_MODE })).toBe(
      FOLDER_MODE === "" ? "" : "FOLDER_MODE must be an octal mode such as 640, with 6 for the owner.",
    );
  });

  test("must leave the data folder alone, also through a link", () => {
    using temporary = temporaryFolder();
    const data = join(temporary.path, "data");
    mkdirSync(join(data, "objects"), { recursive: true });
    symlinkSync(data, join(temporary.path, "link"));
    for (const path of [temporary.path, data, join(data, "objects"), join(temporary.path, "link")])
      expect(problemsOf({ FOLDERS: `${path}:one`, DATA_DIR: data })).toContain("must leave the data folder alone");
    expect(problemsOf({ FOLDERS: `${data}-beside:one`, DATA_DIR: data })).toBe("");
  });
});
