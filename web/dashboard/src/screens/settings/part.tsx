/** One part of the settings. */
import './settings.css';
import { Link } from '@tanstack/react-router';
import { Collection } from './collection.tsx';
import { Domain } from './domain.tsx';
import { Empty } from '../../ui/states.tsx';
import { Form } from './form.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { Notices } from './notices.tsx';
import { openOf, PART_NAMES, type PartName } from './declared/index.ts';
import { Search } from './search.tsx';
import { useParam } from '../../app/address.ts';
import { SettingsPage } from '../../ui/page.tsx';
import { words } from './words.ts';
import { words as ofNotices } from '../../notices/words.ts';

export const ready = Promise.all([words.ready, ofNotices.ready]).then(() => {});

export function Screen() {
  const business = useBusiness();
  const wanted = useParam('part');
  const part = PART_NAMES.find((name) => name === wanted);
  const title = part && words.say(`part.${part}`);
  if (!part || !title)
    return (
      <Empty whole title={words.say('not_here')}>
        <p>
          <Link to={`/${business.id}/settings` as string}>{words.say('title')}</Link>
        </p>
      </Empty>
    );
  return (
    <SettingsPage title={title} back={{ to: 'settings', label: words.say('title') }}>
      <Search>
        <Parts key={part} part={part} />
      </Search>
    </SettingsPage>
  );
}

function Parts({ part }: { readonly part: PartName }) {
  const business = useBusiness();
  const { forms, collections, special } = openOf(part, (needs) => may(business, ...needs));
  if (forms.length + collections.length === 0)
    return (
      <Empty title={words.say('not_yours')}>
        <p>{words.say('not_yours.next')}</p>
      </Empty>
    );
  return (
    <>
      {forms.map((form) => (
        <Form key={form.name} form={form} />
      ))}
      {part === 'site' ? <Domain /> : null}
      {collections.map((collection) => (
        <Collection key={collection.name} collection={collection} />
      ))}
      {special === 'notices' ? <Notices /> : null}
    </>
  );
}
