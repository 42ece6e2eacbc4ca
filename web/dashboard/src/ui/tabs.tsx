/** Parts of a screen, each with an address: `?tab=`. */
import './tabs.css';
import { Link } from '@tanstack/react-router';

export interface TabsProps<Name extends string> {
  /** what they are parts of */
  readonly label: string;
  readonly tabs: readonly Name[];
  readonly shown: Name;
  readonly titleOf: (tab: Name) => string;
}

export function Tabs<Name extends string>({ label, tabs, shown, titleOf }: TabsProps<Name>) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map((one) => (
        <Link
          key={one}
          to="."
          search={{ tab: one } as never}
          resetScroll={false}
          aria-current={one === shown ? 'page' : undefined}
          activeProps={{}}
        >
          {titleOf(one)}
        </Link>
      ))}
    </nav>
  );
}
