/** Drawn on a 24 × 24 grid with a 1.75 stroke; the shapes are those of Lucide (ISC licence). */
const paths = {
  spark: "M12 3l1.9 5.1L19 10l-5.1 1.9L12 17l-1.9-5.1L5 10l5.1-1.9zM19 16v4M17 18h4",
  story:
    "M4 5.5A1.5 1.5 0 0 1 5.5 4H10a2 2 0 0 1 2 2v14a2 2 0 0 0-2-2H4zM20 5.5A1.5 1.5 0 0 0 18.5 4H14a2 2 0 0 0-2 2v14a2 2 0 0 1 2-2h6z",
  gallery: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  chart: "M4 20V4M4 20h16M8.5 16v-4M13 16V8M17.5 16v-6",
  key: "M14.5 9.5l6-6M17 7l2.5 2.5M11.5 11.5a4.5 4.5 0 1 1-2.1 7.9 4.5 4.5 0 0 1 2.1-7.9l3-2",
  hook: "M12 8.5a3 3 0 1 1 2.6-1.5l3 5.2M9.4 7L6.5 12M6.4 12.2a3 3 0 1 0 2.8 4.3H15M17.4 12.3a3 3 0 1 1-2.4 5.2",
  file: "M14 3H7a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V8zM14 3v5h5M9 13h6M9 17h4",
  shield: "M12 3l7 2.5V11c0 4.5-2.9 8-7 10-4.1-2-7-5.5-7-10V5.5zM9 11.8l2.2 2.2L15.2 10",
  code: "M8.5 7.5L4 12l4.5 4.5M15.5 7.5L20 12l-4.5 4.5",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  check: "M5 12.5l4.5 4.5L19 7.5",
  download: "M12 4v11M7.5 11L12 15.5 16.5 11M5 20h14",
  link: "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1.4 1.4M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1.4-1.4",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4",
  moon: "M20 14.5A8.5 8.5 0 1 1 9.5 4a6.8 6.8 0 0 0 10.5 10.5z",
  out: "M10 4H5v16h5M15 8l4 4-4 4M19 12H9",
  close: "M6 6l12 12M18 6L6 18",
  alert: "M12 4L2.8 20h18.4zM12 10v4.5M12 17.3v.2",
  minus: "M6 12h12",
  question:
    "M9 9a3 3 0 1 1 4.3 2.7c-.9.5-1.3 1-1.3 2.3M12 17.3v.2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  keyboard: "M3 6.5h18v11H3zM7 10h.01M10.5 10h.01M14 10h.01M17.5 10h.01M8 14h8",
  zoom: "M15 4h5v5M9 20H4v-5M20 4l-6.5 6.5M4 20l6.5-6.5",
  brush:
    "M20 4l-9 9M11 13c-2.8-.6-5 1.2-5 3.6 0 1.4-.8 2.4-2 2.9 3.9 1.3 9.3.1 9.3-4.1 0-1-.9-2.1-2.3-2.4z",
  dice: "M5 5h14v14H5zM9 9h.01M15 15h.01M15 9h.01M9 15h.01",
  plus: "M12 5v14M5 12h14",
  forward: "M9 6l6 6-6 6",
  undo: "M9 7L4.5 11.5 9 16M4.5 11.5H15a4.5 4.5 0 0 1 0 9h-2",
  trash: "M4.5 7h15M9.5 7V4.5h5V7M6.5 7l1 13h9l1-13",
  repeat: "M5 10a7 7 0 0 1 12-3.5L19.5 9M19.5 4.5V9H15M19 14a7 7 0 0 1-12 3.5L4.5 15M4.5 19.5V15H9",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5a7.5 7.5 0 0 1 15 0",
  image: "M4 5h16v14H4zM4 16l4.5-4.5 4 4 2.5-2.5 5 5M15.5 9.2v.1",
  up: "M12 19V5M6.5 10.5L12 5l5.5 5.5",
  down: "M12 5v14M6.5 13.5L12 19l5.5-5.5",
  left: "M15 5l-7 7 7 7",
  right: "M9 5l7 7-7 7",
  grip: "M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01",
  upload: "M12 15V4M7.5 8.5L12 4l4.5 4.5M5 20h14",
} as const;

/** The name of an icon. */
export type IconName = keyof typeof paths;

/** An icon beside a text or a name; screen readers skip it. */
export function Icon({
  name,
  size = 18,
}: {
  readonly name: IconName;
  readonly size?: number | undefined;
}) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={paths[name]} />
    </svg>
  );
}
