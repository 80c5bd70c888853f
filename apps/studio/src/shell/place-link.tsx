import { Link, useLocation } from "wouter";
import { Icon, type IconName } from "../ui/icons.tsx";

/** Whether a page or one below it is open. */
export function isCurrent(place: string, path: string): boolean {
  return path === place || (place !== "/" && path.startsWith(`${place}/`));
}

/** A link of the navigation. */
export function PlaceLink(props: {
  readonly path: string;
  readonly name: string;
  readonly icon: IconName;
  readonly className: string | undefined;
  readonly size?: number;
  readonly onClick?: () => void;
}) {
  const [current] = useLocation();
  const { path, name, icon, className, size, onClick } = props;
  return (
    <Link
      href={path}
      className={className}
      aria-current={isCurrent(path, current) ? "page" : undefined}
      onClick={onClick}
    >
      <Icon name={icon} size={size} />
      {name}
    </Link>
  );
}
