/** Parts of a screen, each with an address: `?tab=`. */
import './tabs.css';
import { Link } from '@tanstack/react-router';
import { may, useBusiness } from '../app/business.ts';
import { useAddress } from '../app/address.ts';
import type { ComponentType, ReactNode } from 'react';

/** A part of a screen, for people with any of these permissions. */
export interface Part {
  readonly needs: readonly string[];
  readonly Shown: ComponentType;
}

export interface TabsProps<Name extends string> {
  /** name of the whole */
  readonly label: string;
  readonly tabs: readonly Name[];
  readonly shown: Name;
  readonly titleOf: (tab: Name) => string;
}

/** Returns the part that the address names, or else the first one. */
export function useTab<Name extends string>(tabs: readonly Name[]): Name {
  const [{ tab }] = useAddress();
  return tabs.find((one) => one === tab) ?? tabs[0];
}

/** Returns the names of the parts that the person may see. */
export function useAllowed<Name extends string>(parts: Readonly<Record<Name, Part>>): Name[] {
  const business = useBusiness();
  return (Object.keys(parts) as Name[]).filter((one) => may(business, ...parts[one].needs));
}

/** Renders the tabs, with the selected part below them. */
export function Tabbed<Name extends string>({ children, ...tabs }: TabsProps<Name> & { readonly children: ReactNode }) {
  return (
    <>
      <Tabs {...tabs} />
      <section aria-labelledby="tab" key={tabs.shown}>
        <h2 id="tab" className="unseen">
          {tabs.titleOf(tabs.shown)}
        </h2>
        {children}
      </section>
    </>
  );
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
