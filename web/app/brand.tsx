import { siteLogo } from "../page/site.ts";

/** Where mark and name stand in the header. */
export const BRAND_PLACE =
  "-ml-1 mr-4 flex h-11 items-center gap-2 rounded-lg px-1 font-semibold text-base tracking-tight";

/** The logo of the site, or our mark. Decoration beside the name. */
export function BrandMark() {
  const logo = siteLogo();
  return logo ? <img src={logo} alt="" className="h-7 w-auto max-w-28 object-contain" /> : <Satchel />;
}

/** A satchel, closed by its strap. */
const Satchel = () => (
  <svg viewBox="0 0 32 32" className="size-7" aria-hidden="true">
    <path
      d="M11 9V7.5A3.5 3.5 0 0 1 14.5 4h3A3.5 3.5 0 0 1 21 7.5V9"
      fill="none"
      stroke="#9a3412"
      strokeWidth="2.5"
      strokeLinecap="round"
    />
    <rect x="3" y="8" width="26" height="20" rx="5" fill="#c2410c" />
    <path d="M3 13a5 5 0 0 1 5-5h16a5 5 0 0 1 5 5v1.5c0 2.5-2 4.5-4.5 4.5h-17A4.5 4.5 0 0 1 3 14.5z" fill="#ea580c" />
    <rect x="13" y="15.5" width="6" height="7" rx="2" fill="#fff7ed" />
  </svg>
);
