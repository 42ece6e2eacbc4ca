/** The personal data of a customer: exporting it, erasing it, or merging it with another record of the same person. */
import { useNavigate } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { clientOf } from '../../../app/client.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { FindCustomer } from '../../../ui/find-customer.tsx';
import { keepAs } from '../../../app/files.ts';
import { nameOf } from '../../../app/customers.ts';
import { ui } from '../../../ui/words.ts';
import { useBusiness } from '../../../app/business.ts';
import { usePropose } from '../../../changes/change.tsx';
import { words } from './words.ts';
import type { TabProps } from './person.ts';

interface Erased {
  readonly erased: readonly { readonly what: string; readonly count: number }[];
  readonly kept: readonly { readonly what: string; readonly count: number; readonly why: string }[];
}

export function PersonalData({ person }: TabProps) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const navigate = useNavigate();
  const [erased, setErased] = useState<Erased | null>(null);
  const { id } = person;
  const name = nameOf(person);
  const erase = async (): Promise<void> => {
    const outcome = await propose({
      title: words.say('erase.title', { name }),
      confirm: words.say('erase'),
      grave: true,
      about: <WouldErase id={id} />,
      call: () => clientOf(business).call('POST /customers/{id}/erase', { params: { id } }),
      done: words.say('erase.done'),
    });
    if (outcome.made) setErased(outcome.answer);
  };
  const merge = async (from: number, other: string): Promise<void> => {
    const outcome = await propose({
      title: words.say('merge.title', { other, name }),
      confirm: words.say('merge.confirm'),
      grave: true,
      about: <p className="notice wrong">{words.say('merge.about', { other, name })}</p>,
      call: () => clientOf(business).call('POST /customers/{id}/merge', { params: { id }, body: { from } }),
      done: words.say('merge.done', { other, name }),
    });
    if (outcome.made)
      void navigate({ to: `/${business}/people/${id}` as string, search: { tab: 'overview' } as never });
  };
  return (
    <>
      <div className="card">
        <h3>{words.say('download')}</h3>
        <p>{words.say('download.about')}</p>
        <button
          type="button"
          className="second"
          onClick={() =>
            void keepAs(
              clientOf(business).call('GET /customers/{id}/personal_data', { params: { id } }),
              `personal-data-${id}.json`,
            )
          }
        >
          {words.say('download')}
        </button>
      </div>
      <div className="card">
        <h3>{words.say('merge')}</h3>
        <p>{words.say('merge.hint', { name })}</p>
        <label htmlFor="merge">{words.say('merge.find')}</label>
        <FindCustomer
          id="merge"
          label={words.say('merge.find')}
          onChoose={({ id: from, label }) => {
            if (from !== id) void merge(from, label);
          }}
        />
      </div>
      <div className="card">
        <h3>{words.say('erase')}</h3>
        <p>{words.say('erase.about')}</p>
        <button type="button" className="grave" onClick={() => void erase()}>
          {words.say('erase')}
        </button>
      </div>
      {erased ? (
        <Dialog title={words.say('erase.done')} onClose={() => void navigate({ to: `/${business}/people` as string })}>
          <Kept {...erased} />
          <div className="actions">
            <button
              type="button"
              className="second"
              onClick={() => void navigate({ to: `/${business}/people` as string })}
            >
              {ui.say('close')}
            </button>
          </div>
        </Dialog>
      ) : null}
    </>
  );
}

/** Shows what would be erased, and what the business must keep by law. */
function WouldErase({ id }: { readonly id: number }) {
  const { id: business } = useBusiness();
  const preview = useQuery({
    queryKey: [business, 'POST /customers/{id}/erase', { id }],
    staleTime: 0,
    queryFn: () => clientOf(business).call('POST /customers/{id}/erase', { params: { id } }).dryRun(),
  });
  return preview.data ? <Kept erased={preview.data.erased ?? []} kept={preview.data.kept ?? []} /> : null;
}

const plain = (what: string): string => what.replaceAll('_', ' ');

function Kept({ erased, kept }: Erased) {
  return (
    <>
      <h3>{words.say('erase.erased')}</h3>
      <ul>
        {erased.map(({ what, count }) => (
          <li key={what}>
            {plain(what)}: {count}
          </li>
        ))}
      </ul>
      {kept.length > 0 ? <h3>{words.say('erase.kept')}</h3> : null}
      <ul>
        {kept.map(({ what, count, why }) => (
          <li key={what}>
            {plain(what)}: {count}. {why}
          </li>
        ))}
      </ul>
    </>
  );
}
