/**
 * The navigation: daily screens first, the rest under headings. A phone shows the first screens, and the others on
 * demand.
 */
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { GROUPS, type ScreenKind, type ScreenName } from '../screens.ts';
import { Icon } from '../ui/icon.tsx';
import { titleOf } from './titles.ts';
import { words } from './words.ts';
import more from 'icon:menu';

type Shown = readonly (readonly [ScreenName, ScreenKind])[];

export function Nav({ business, shown }: { readonly business: number; readonly shown: Shown }) {
  const id = useId();
  const parts = [undefined, ...GROUPS]
    .map((group) => ({ group, screens: shown.filter(([, kind]) => kind.group === group) }))
    .filter(({ screens }) => screens.length > 0);
  const links = (screens: Shown) =>
    screens.map(([name, { path, icon }]) => (
      <li key={name}>
        <Link
          to={`/${business}/${path}` as string}
          activeProps={{ 'aria-current': 'page' }}
          activeOptions={{ includeSearch: false }}
        >
          <Icon of={icon!} />
          <span>{titleOf(name)}</span>
        </Link>
      </li>
    ));
  const all = parts.map(({ group, screens }) => (
    <div key={group ?? 'day'} className="nav-part">
      {group ? <h2>{words.say(`nav.${group}`)}</h2> : null}
      <ul>{links(screens)}</ul>
    </div>
  ));
  return (
    <>
      <nav className="nav" aria-label={words.say('nav')}>
        {all}
      </nav>
      <nav className="nav-bar" aria-label={words.say('nav')}>
        <ul>
          {links(shown.slice(0, 4))}
          {shown.length > 4 ? (
            <li>
              <button type="button" popoverTarget={id}>
                <Icon of={more} />
                <span>{words.say('nav.more')}</span>
              </button>
            </li>
          ) : null}
        </ul>
        <div
          id={id}
          popover="auto"
          className="nav-sheet"
          onClick={({ target, currentTarget }) =>
            target instanceof Element && target.closest('a') && currentTarget.hidePopover()
          }
        >
          {all}
        </div>
      </nav>
    </>
  );
}
