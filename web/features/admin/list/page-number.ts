import { useSearchParams } from "react-router-dom";

/** The page of a list as the address has it (`?page=2`), the first being 1, and the way to another. */
export function usePageNumber(): [page: number, go: (page: number) => void] {
  const [search, setSearch] = useSearchParams();
  const asked = Number(search.get("page"));
  const page = Number.isInteger(asked) && asked >= 1 ? Math.min(asked, 1_000_000) : 1;
  return [page, (next) => setSearch(next > 1 ? { page: String(next) } : {})];
}
