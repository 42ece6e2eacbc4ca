/** The next steps for the file: check it, import it, and continue from there. */
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { Failed } from '../../ui/states.tsx';
import { hasFates, isBusy, nameOf, type Import } from './import.ts';
import { Invite } from './invite.tsx';
import { keepAs } from '../../app/files.ts';
import { readAgain } from '../../app/calls.ts';
import { said, words } from './words.ts';
import { useBusiness } from '../../app/business.ts';
import { usePropose } from '../../changes/change.tsx';
import { Undone } from './undone.tsx';
import { Working } from './working.tsx';

/** Links to the imported data. */
const RESULTS = {
  customers: 'people',
  memberships: 'people',
  schedule: 'calendar',
  bookings: 'calendar',
  appointments: 'calendar',
  staff: 'calendar?view=resources&by=instructor',
  balances: 'people',
  gift_cards: 'store?tab=cards',
  visits: 'people',
} as const;

export function Next({ of }: { readonly of: Import }) {
  if (!of.has_rows)
    return (
      <div className="notice">
        <p>{words.say('gone')}</p>
      </div>
    );
  if (isBusy(of)) return <Working files={[of]} />;
  return (
    <>
      {of.missing.length > 0 ? <Missing of={of} /> : null}
      {of.status === 'failed' || of.status === 'cancelled' ? (
        <p className="notice">{words.say(`after.${of.status}`)}</p>
      ) : null}
      <Actions of={of} />
    </>
  );
}

/** Things to say that are not columns. */
const MISSING = {
  date_format: 'missing.dates',
  kind: 'missing.kind',
  source: 'missing.source',
  answers: 'missing.answers',
} as const;

function Missing({ of }: { readonly of: Import }) {
  return (
    <div className="notice wrong" role="status">
      <p>{words.say('missing')}</p>
      <ul>
        {of.missing.map((one) => (
          <li key={one}>
            {one in MISSING
              ? words.say(MISSING[one as keyof typeof MISSING])
              : one
                  .split(' | ')
                  .map((property) => said('property', property))
                  .join(` ${words.say('or')} `)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Actions({ of }: { readonly of: Import }) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const navigate = useNavigate();
  const [error, setError] = useState<unknown>(null);
  const params = { id: of.id };
  const client = clientOf(business);
  const able = of.missing.length === 0;
  const rows = of.created_count + of.changed_count;
  // A check is a dry run itself: it saves nothing.
  const check = (): void => {
    setError(null);
    client.call('POST /imports/{id}/check', { params }).then(readAgain, setError);
  };
  const run = (): void =>
    void propose({
      title: words.say('import.title', { n: rows }),
      confirm: words.say('import.do'),
      done: words.say('import.done'),
      about: <p>{words.say('import.about')}</p>,
      call: () => client.call('POST /imports/{id}/run', { params }),
    });
  const report = (): void =>
    void keepAs(client.call('GET /imports/{id}/report', { params }), `${nameOf(of)}.report.csv`);
  const undo = (): void =>
    void propose({
      title: words.say('undo'),
      done: words.say('undo.done'),
      about: <p>{words.say('undo.about')}</p>,
      describe: (preview) => <Undone preview={preview} />,
      call: () => client.call('POST /imports/{id}/undo', { params }),
    });
  const remove = (): void =>
    void propose({
      title: words.say('delete'),
      done: words.say('delete.done'),
      grave: true,
      about: <p>{words.say('delete.about')}</p>,
      call: () => client.call('DELETE /imports/{id}', { params }),
    }).then(({ made }) => {
      if (made) void navigate({ to: `/${business}/imports` as string });
    });
  const isChecked = of.status === 'checked';
  const isDone = of.status === 'complete';
  return (
    <>
      {error ? <Failed error={error} /> : null}
      <div className="actions first">
        {isDone ? (
          <Link className="button" to={`/${business}/${RESULTS[of.kind]}` as string}>
            {words.say(`next.${of.kind}`)}
          </Link>
        ) : null}
        {isChecked && rows > 0 ? (
          <button type="button" onClick={run}>
            {words.say('import.do')}
          </button>
        ) : null}
        <button type="button" className={isChecked || isDone ? 'second' : undefined} disabled={!able} onClick={check}>
          {words.say(of.status === 'ready' ? 'check' : 'check.again')}
        </button>
        {hasFates(of) ? (
          <button type="button" className="second" onClick={report}>
            {words.say('report')}
          </button>
        ) : null}
        {of.can_undo ? (
          <button type="button" className="second" onClick={undo}>
            {words.say('undo')}
          </button>
        ) : null}
        <button type="button" className="second" onClick={remove}>
          {words.say('delete')}
        </button>
      </div>
      {isDone && of.kind === 'customers' ? <Invite of={of} /> : null}
    </>
  );
}
