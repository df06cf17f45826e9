import type { SVGProps } from "react";

// Paths from Lucide (ISC licence). Drawn here because lucide-react's icons are client components:
// each of them would put its drawing and the library into the JavaScript of the public pages.

interface IconProps extends Omit<SVGProps<SVGSVGElement>, "children"> {
  /** Width and height in pixels. */
  size?: number;
}

const icon =
  (d: string) =>
  ({ size = 20, ...props }: IconProps) => (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      {...props}
    >
      <path d={d} />
    </svg>
  );

export const BagIcon = icon(
  "M3.4 5.5A2 2 0 0 0 3 6.7V20a2 2 0 0 0 2 2h14a2 2 0 0 0 2-2V6.7a2 2 0 0 0-.4-1.2l-2-2.7A2 2 0 0 0 17 2H7a2 2 0 0 0-1.6.8zM3.1 6h17.8M16 10a4 4 0 0 1-8 0",
);
export const SearchIcon = icon("m21 21-4.3-4.3M11 19a8 8 0 1 1 0-16 8 8 0 0 1 0 16z");
export const MenuIcon = icon("M4 6h16M4 12h16M4 18h16");
export const CloseIcon = icon("M18 6 6 18M6 6l12 12");
export const ChevronLeftIcon = icon("m15 18-6-6 6-6");
export const ChevronDownIcon = icon("m6 9 6 6 6-6");
export const ChevronRightIcon = icon("m9 18 6-6-6-6");
export const FilterIcon = icon("M4 6h16M7 12h10M10 18h4");
export const SortIcon = icon("m3 16 4 4 4-4M7 20V4M21 8l-4-4-4 4M17 4v16");
export const LockIcon = icon(
  "M5 11h14a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2zM7 11V7a5 5 0 0 1 10 0v4",
);
export const MinusIcon = icon("M5 12h14");
export const PlusIcon = icon("M5 12h14M12 5v14");
export const CheckIcon = icon("M20 6 9 17l-5-5");
export const CheckCircleIcon = icon("M12 22a10 10 0 1 1 0-20 10 10 0 0 1 0 20zM16 9l-5.5 5.5L8 12");
export const AlertCircleIcon = icon("M12 22a10 10 0 1 1 0-20 10 10 0 0 1 0 20zM12 7v5M12 16h.01");
export const InfoIcon = icon("M12 22a10 10 0 1 1 0-20 10 10 0 0 1 0 20zM12 16.5V12M12 8h.01");
export const BoxIcon = icon(
  "M12 22v-9M15.2 2.2a1.7 1.7 0 0 1 1.6 0L21 4.6a1.9 1.9 0 0 1 0 3.3L8.8 14.8a1.7 1.7 0 0 1-1.6 0L3 12.4a1.9 1.9 0 0 1 0-3.3zM20 13v3.9a2 2 0 0 1-1.1 1.8l-6 3.1a1.9 1.9 0 0 1-1.8 0l-6-3.1A2 2 0 0 1 4 16.9V13M21 12.4a1.9 1.9 0 0 0 0-3.3L8.8 2.2a1.6 1.6 0 0 0-1.6 0L3 4.6a1.9 1.9 0 0 0 0 3.3l12.2 6.9a1.6 1.6 0 0 0 1.6 0z",
);
export const CardIcon = icon(
  "M4 5h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2zM2 10h20M6 15h4",
);
export const DownloadIcon = icon("M12 15V3M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4M7 10l5 5 5-5");
export const StarIcon = icon(
  "m12 2.5 2.9 6 6.6 1-4.8 4.6 1.1 6.6-5.8-3.1-5.9 3.1 1.1-6.6L2.5 9.5l6.6-1z",
);
export const TruckIcon = icon(
  "M14 18V6a2 2 0 0 0-2-2H4a2 2 0 0 0-2 2v11a1 1 0 0 0 1 1h2M15 18H9M19 18h2a1 1 0 0 0 1-1v-3.7a1 1 0 0 0-.2-.6l-3.5-4.3a1 1 0 0 0-.8-.4H14M19 18a2 2 0 1 1-4 0 2 2 0 0 1 4 0zM9 18a2 2 0 1 1-4 0 2 2 0 0 1 4 0z",
);
export const ReturnIcon = icon("M9 14 4 9l5-5M4 9h10.5a5.5 5.5 0 0 1 0 11H11");
export const ShieldIcon = icon(
  "M20 13c0 5-3.5 7.5-7.7 9a1 1 0 0 1-.6 0C7.500 20.500 4 18 4 13V6a1 1 0 0 1 1-1c2 0 4.500-1.200 6.200-2.700a1.200 1.200 0 0 1 1.600 0C14.500 3.800 17 5 19 5a1 1 0 0 1 1 1zM9 12l2 2 4-4",
);
export const ExpandIcon = icon("M15 3h6v6M21 3l-7 7M3 21l7-7M9 21H3v-6");
export const PhoneIcon = icon(
  "M13.8 16.6a1 1 0 0 0 1.2-.3l.4-.5a2 2 0 0 1 1.6-.8h3a2 2 0 0 1 2 2v3a2 2 0 0 1-2 2A18 18 0 0 1 2 4a2 2 0 0 1 2-2h3a2 2 0 0 1 2 2v3a2 2 0 0 1-.8 1.6l-.5.4a1 1 0 0 0-.3 1.2 14 14 0 0 0 6.4 6.4",
);
export const MailIcon = icon(
  "M4 4h16a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2zM22 7l-9 5.7a2 2 0 0 1-2 0L2 7",
);
export const ArrowRightIcon = icon("M5 12h14M12 5l7 7-7 7");
export const EyeIcon = icon(
  "M2.1 12.3a1 1 0 0 1 0-.6 10.8 10.8 0 0 1 19.8 0 1 1 0 0 1 0 .6 10.8 10.8 0 0 1-19.8 0zM15 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0z",
);
