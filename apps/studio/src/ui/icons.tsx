import {
  ArrowDown,
  ArrowUp,
  BookOpen,
  Brush,
  ChartColumn,
  Check,
  ChevronLeft,
  ChevronRight,
  CircleQuestionMark,
  Code,
  Copy,
  Download,
  Ellipsis,
  FileText,
  Folder,
  GripVertical,
  Image,
  KeyRound,
  Keyboard,
  LayoutGrid,
  LogOut,
  Maximize2,
  Minus,
  Moon,
  Pencil,
  Plus,
  RefreshCw,
  ShieldCheck,
  Sparkles,
  Star,
  Sun,
  Trash2,
  TriangleAlert,
  Undo2,
  Upload,
  User,
  Webhook,
  X,
} from "lucide-react";

const icons = {
  alert: TriangleAlert,
  brush: Brush,
  chart: ChartColumn,
  check: Check,
  close: X,
  code: Code,
  copy: Copy,
  down: ArrowDown,
  download: Download,
  file: FileText,
  folder: Folder,
  forward: ChevronRight,
  gallery: LayoutGrid,
  grip: GripVertical,
  hook: Webhook,
  image: Image,
  key: KeyRound,
  keyboard: Keyboard,
  left: ChevronLeft,
  minus: Minus,
  moon: Moon,
  more: Ellipsis,
  out: LogOut,
  pencil: Pencil,
  person: User,
  plus: Plus,
  question: CircleQuestionMark,
  repeat: RefreshCw,
  right: ChevronRight,
  shield: ShieldCheck,
  spark: Sparkles,
  star: Star,
  story: BookOpen,
  sun: Sun,
  trash: Trash2,
  undo: Undo2,
  up: ArrowUp,
  upload: Upload,
  zoom: Maximize2,
} as const;

/** The name of an icon. */
export type IconName = keyof typeof icons;

/** An icon beside a text or a name; screen readers skip it. */
export function Icon({
  name,
  size = 18,
}: {
  readonly name: IconName;
  /** Width and height in pixels. */
  readonly size?: number | undefined;
}) {
  const Drawing = icons[name];
  return <Drawing aria-hidden="true" size={size} strokeWidth={1.75} />;
}
