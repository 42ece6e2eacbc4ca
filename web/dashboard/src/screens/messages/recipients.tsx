/** The current recipients, the excluded customers with the reasons, and the remaining quota. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Failed, Loading } from '../../ui/states.tsx';
import { isChosen } from './audience.tsx';
import { nameOf } from '../../app/customers.ts';
import { Quota } from './quota.tsx';
import { ui } from '../../ui/words.ts';
import { useBusiness } from '../../app/business.ts';
import { Kept } from '../../ui/kept.tsx';
import { usePreview } from '../../app/preview.ts';
import { words } from './words.ts';
import type { Draft } from './draft.ts';

const PAGE = 20;
const MAX_ROWS = 100;

type Addressed = Pick<Draft, 'channel' | 'use_case' | 'target'>;
type Side = 'recipients' | 'excluded';

export const useRecipients = ({ channel, use_case, target }: Addressed, show: Side = 'recipients', size = PAGE) =>
  usePreview(
    'POST /communication/broadcast_messages/recipients_preview',
    { body: { channel, use_case, target_recipients: target, show, page_size: size } },
    isChosen(target),
  );

export function Recipients({ draft }: { readonly draft: Addressed }) {
  const [show, setShow] = useState<Side | null>(null);
  const [size, setSize] = useState(PAGE);
  const found = useRecipients(draft, show ?? 'recipients', size);
  if (found.error) return <Failed error={found.error} again={() => void found.refetch()} />;
  if (!found.data) return <Loading />;
  const { recipients, targeted, excluded, email_quota, sms_quota } = found.data;
  const over = excluded.find(({ reason }) => reason === 'quota')?.count ?? 0;
  const of = show === 'excluded' ? targeted - recipients : recipients;
  // The previous result stays until the response arrives, and it may be of the other tab.
  const shown = found.data.sample.filter((one) => (one.excluded !== null) === (show === 'excluded'));
  const list = (side: Side, n: number) =>
    n === 0 ? null : (
      <button
        type="button"
        className="second"
        aria-expanded={show === side}
        onClick={() => {
          setShow(show === side ? null : side);
          setSize(PAGE);
        }}
      >
        {words.say(`show.${side}`)}
      </button>
    );
  return (
    <Kept read={found}>
      <div role="status">
        <Counted {...{ recipients, excluded }} />
        {email_quota ? <Quota quota={email_quota} wanted={recipients} /> : null}
        {sms_quota ? <Quota quota={sms_quota} wanted={recipients + over} of="quota.sms" /> : null}
      </div>
      <p className="actions">
        {list('recipients', recipients)}
        {list('excluded', targeted - recipients)}
      </p>
      {show ? (
        <>
          <People people={shown} label={words.say(`show.${show}`)} />
          {of > size && size < MAX_ROWS ? (
            <p>
              <button type="button" className="second" onClick={() => setSize(MAX_ROWS)}>
                {ui.say('more')}
              </button>
            </p>
          ) : null}
          {of > MAX_ROWS ? <p className="soft small">{words.say('show.first', { n: MAX_ROWS, all: of })}</p> : null}
        </>
      ) : null}
    </Kept>
  );
}

/** Shows the numbers as soon as they are known. */
export function Counts({ draft }: { readonly draft: Addressed }) {
  const found = useRecipients(draft);
  if (found.error) return <Failed error={found.error} again={() => void found.refetch()} />;
  return found.data ? <Counted {...found.data} /> : <Loading />;
}

interface CountedProps {
  readonly recipients: number;
  readonly excluded: readonly { readonly reason: Reason; readonly count: number }[];
}

/** Shows the number of recipients, and the number of excluded customers by reason. */
export function Counted({ recipients, excluded }: CountedProps) {
  const left = excluded.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <p>
        <strong>{words.say('get', { n: recipients })}</strong>
        {left > 0 ? <> {words.say('get_not', { n: left })}</> : null}
      </p>
      {left > 0 ? (
        <ul className="reasons" aria-label={words.say('reasons')}>
          {excluded.map(({ reason, count }) => (
            <li key={reason}>
              {words.say('reason', { n: count })}: {words.say(`reason.${reason}`)}
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}

type Person = NonNullable<ReturnType<typeof useRecipients>['data']>['sample'][number];
export type Reason = NonNullable<Person['excluded']>;

function People({ people, label }: { readonly people: readonly Person[]; readonly label: string }) {
  const { id: business } = useBusiness();
  return (
    <ul className="rows" aria-label={label}>
      {people.map((one) => (
        <li key={one.customer}>
          <Link to={`/${business}/people/${one.customer}` as string}>{nameOf(one) || words.say('nameless')}</Link>
          <span className="soft small">{one.address}</span>
          {one.excluded ? <span className="small end">{words.say(`reason.${one.excluded}`)}</span> : null}
        </li>
      ))}
    </ul>
  );
}
