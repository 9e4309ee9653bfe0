/** What a changelog in the form of Keep a Changelog says of a version. Throws when it says nothing. */
export function changesOf(changelog: string, version: string): string {
  const lines = changelog.split("\n");
  const begin = lines.findIndex((line) => line.startsWith(`## [${version}]`));
  if (begin < 0) {
    throw new Error(
      `CHANGELOG.md has no section for ${version}: name what is under Unreleased "## [${version}] - YYYY-MM-DD".`,
    );
  }
  const rest = lines.slice(begin + 1);
  const end = rest.findIndex((line) => /^## |^\[[^\]]+\]: /.test(line));
  const changes = rest.slice(0, end < 0 ? undefined : end).join("\n");
  if (changes.trim() === "") throw new Error(`CHANGELOG.md says nothing of ${version}.`);
  return changes.trim();
}
