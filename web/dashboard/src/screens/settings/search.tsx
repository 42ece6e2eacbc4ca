/** A search field over the labels and descriptions of all settings. */
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ALL, openOf, type Found } from './declared/index.ts';
import { hintFor, labelOf, words } from './words.ts';
import { may, useBusiness } from '../../app/business.ts';
import { useAddress } from '../../app/address.ts';
import { useDeferred } from '../../app/deferred.ts';
import { ui } from '../../ui/words.ts';

/** Removes diacritics, which people leave out when they search. */
const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase();

const partTitle = (part: string): string => words.say(`part.${part}` as 'part.business');
export const formTitle = (form: string): string => words.say(`form.${form}` as 'form.profile');

function find(text: string, isAllowed: (needs: readonly string[]) => boolean): Found[] {
  const wanted = plain(text).split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [];
  return ALL.filter(({ part, of, setting }) => {
    const { forms, collections } = openOf(part, isAllowed);
    if (![...forms, ...collections].some(({ name }) => name === of.name)) return false;
    const said = plain(
      [partTitle(part), formTitle(of.name), labelOf(of.name, setting), hintFor(of.name, setting) ?? ''].join(' '),
    );
    return wanted.every((word) => said.includes(word));
  });
}

/** The search field and its results; without a search, the children. */
export function Search({ children }: { readonly children: React.ReactNode }) {
  const business = useBusiness();
  const [address, go] = useAddress();
  const [text, setText] = useState(address.q ?? '');
  const wanted = useDeferred(text.trim());
  useEffect(() => {
    if ((address.q ?? '') !== wanted) go({ q: wanted });
    // Only typing changes the address.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [wanted]);
  const found = find(wanted, (needs) => may(business, ...needs));
  return (
    <>
      <search>
        <input
          type="search"
          className="setting-search"
          aria-label={words.say('search')}
          placeholder={words.say('search')}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </search>
      {wanted === '' ? children : null}
      {wanted !== '' && found.length === 0 ? <p role="status">{ui.say('none')}</p> : null}
      {wanted !== '' && found.length > 0 ? (
        <ul className="rows setting-found" aria-label={words.say('found', { n: found.length })}>
          {found.map(({ part, of, setting }) => (
            <li key={`${of.name}.${setting.name}`}>
              <Link
                to={`/${business.id}/settings/${part}` as string}
                search={{ at: 'write' in of ? `${of.name}.${setting.name}` : of.name } as never}
                onClick={() => setText('')}
              >
                {labelOf(of.name, setting)}
              </Link>
              <span className="soft small">
                {partTitle(part)} › {formTitle(of.name)}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
