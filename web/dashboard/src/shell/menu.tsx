/** The menu of the person rather than the business: other workplaces, language, logging out. */
import { useId } from 'react';
import { chooseLanguage, language, LANGUAGES, type Language } from '../words/language.ts';
import { Icon } from '../ui/icon.tsx';
import { useWorkplaces } from '../app/workplaces.ts';
import { words } from './words.ts';
import user from 'icon:circle-user';
import type { Business } from '../app/business.ts';

export function Menu({ business, onShortcuts }: { readonly business: Business; readonly onShortcuts: () => void }) {
  const id = useId();
  const others = useWorkplaces().filter((one) => one.id !== business.id);
  return (
    <>
      <button type="button" className="plain" popoverTarget={id} aria-label={words.say('menu')}>
        <Icon of={user} large />
      </button>
      <div id={id} popover="auto" className="menu">
        <p>
          <strong>{business.staff.name}</strong>
          <br />
          <span className="soft">{business.staff.email}</span>
        </p>
        {others.length > 0 ? (
          <ul>
            {others.map((one) => (
              <li key={one.id}>
                <a href={`/dashboard/${one.id}`}>{words.say('switch', { business: one.name })}</a>
              </li>
            ))}
          </ul>
        ) : null}
        <label>
          {words.say('language')}
          <select value={language} onChange={(event) => chooseLanguage(event.target.value as Language)}>
            {Object.entries(LANGUAGES).map(([code, name]) => (
              <option key={code} value={code} lang={code}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <ul>
          <li>
            <button type="button" className="plain" popoverTarget={id} popoverTargetAction="hide" onClick={onShortcuts}>
              {words.say('shortcuts')}
            </button>
          </li>
          {business.slug ? (
            <li>
              <a href={`/${business.slug}`}>{words.say('site')}</a>
            </li>
          ) : null}
          <li>
            <a href="/log-out">{words.say('log_out')}</a>
          </li>
        </ul>
      </div>
    </>
  );
}
