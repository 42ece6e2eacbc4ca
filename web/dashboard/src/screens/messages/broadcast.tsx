/** One broadcast: the editor while it is a draft, and its results afterwards. */
import './messages.css';
import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { clientOf } from '../../app/client.ts';
import { Compose } from './compose.tsx';
import { Loading, Missing } from '../../ui/states.tsx';
import { FIELDS } from './draft.ts';
import { keyOf } from '../../app/calls.ts';
import { Results } from './results.tsx';
import { titleOf } from './broadcasts.tsx';
import { useBusiness } from '../../app/business.ts';
import { useParam } from '../../app/address.ts';
import { DetailsPage } from '../../ui/page.tsx';
import { words } from './words.ts';

export const { ready } = words;

/** The feed has no progress of a broadcast in progress, so it is polled. */
const EVERY_MS = 2000;

const backToAll = () => ({ to: 'messages', label: words.say('tab.broadcasts') });

export function Screen() {
  const id = useParam('broadcast');
  if (id !== 'new') return <Saved key={id} id={Number(id)} />;
  return (
    <DetailsPage className="messages" back={backToAll()} title={words.say('new')}>
      <Compose />
    </DetailsPage>
  );
}

function Saved({ id }: { readonly id: number }) {
  const { id: business } = useBusiness();
  const asked = { params: { id }, fields: FIELDS };
  const found = useQuery({
    queryKey: keyOf(business, 'GET /communication/broadcast_messages/{id}', { ...asked, etag: true }),
    queryFn: async ({ signal }) => {
      const { value, etag } = await clientOf(business)
        .call('GET /communication/broadcast_messages/{id}', { ...asked, signal })
        .answer();
      return { broadcast: value, etag };
    },
    refetchInterval: ({ state }) =>
      ['scheduled', 'sending'].includes(state.data?.broadcast.status ?? '') ? EVERY_MS : false,
  });
  if (found.error && !found.data)
    return (
      <Missing error={found.error} again={() => void found.refetch()} title={words.say('not_here')}>
        <Link to={`/${business}/messages` as string}>{words.say('not_here.next')}</Link>
      </Missing>
    );
  if (!found.data) return <Loading />;
  const { broadcast, etag } = found.data;
  return (
    <DetailsPage className="messages" back={backToAll()} title={titleOf(broadcast)}>
      {broadcast.status === 'draft' ? (
        <Compose
          key={id}
          saved={broadcast}
          etag={etag}
          onSaved={async () => (await found.refetch()).data?.etag ?? null}
        />
      ) : (
        <Results broadcast={broadcast} />
      )}
    </DetailsPage>
  );
}
