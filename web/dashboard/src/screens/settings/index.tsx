/** All settings of a business, in parts, with one search field. */
import './settings.css';
import { Link } from '@tanstack/react-router';
import { formTitle, Search } from './search.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { openOf, PART_NAMES } from './declared/index.ts';
import { SettingsPage } from '../../ui/page.tsx';
import { words } from './words.ts';

export const { ready } = words;

export function Screen() {
  const business = useBusiness();
  const parts = PART_NAMES.map((name) => ({ name, ...openOf(name, (needs) => may(business, ...needs)) })).filter(
    ({ forms, collections }) => forms.length + collections.length > 0,
  );
  return (
    <SettingsPage title={words.say('title')}>
      <Search>
        <ul className="setting-parts">
          {parts.map(({ name, forms, collections, special }) => (
            <li key={name} className="card">
              <Link to={`/${business.id}/settings/${name}` as string}>{words.say(`part.${name}`)}</Link>
              <p className="soft small">
                {[...forms, ...collections, ...(special ? [{ name: special }] : [])]
                  .map((one) => formTitle(one.name))
                  .join(' · ')}
              </p>
            </li>
          ))}
        </ul>
      </Search>
    </SettingsPage>
  );
}
