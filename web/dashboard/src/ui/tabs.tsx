/** Parts of a screen, each with an address: `?tab=`. */
import './tabs.css';
import { Link } from '@tanstack/react-router';
import { useAddress } from '../app/address.ts';

export interface TabsProps<Name extends string> {
  /** what they are parts of */
  readonly label: string;
  readonly tabs: readonly Name[];
  readonly shown: Name;
  readonly titleOf: (tab: Name) => string;
}

/** The part that the address names; else the first. */
export function useTab<Name extends string>(tabs: readonly Name[]): Name {
  const [{ tab }] = useAddress();
  return tabs.find((one) => one === tab) ?? tabs[0];
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
