/** The next step for all files: check them together, and import them together. */
import { useState } from 'react';
import { asksAbout } from './asks.ts';
import { clientOf } from '../../app/client.ts';
import { Failed } from '../../ui/states.tsx';
import { isBusy, type Import } from './import.ts';
import { readAgain } from '../../app/calls.ts';
import { useBusiness } from '../../app/business.ts';
import { usePropose } from '../../changes/change.tsx';
import { Working } from './working.tsx';
import { words } from './words.ts';

export function Move({ files }: { readonly files: readonly Import[] }) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const [error, setError] = useState<unknown>(null);
  const client = clientOf(business);
  const body = { imports: files.map(({ id }) => id) };
  const busy = files.filter(isBusy);
  if (busy.length > 0) return <Working files={files.filter(({ job }) => job === busy[0].job)} />;
  const isChecked = files.every(({ status }) => status === 'checked');
  const rows = files.reduce((sum, { created_count: a, changed_count: b }) => sum + a + b, 0);
  // A check is a dry run itself: it saves nothing.
  const check = (): void => {
    setError(null);
    client.call('POST /imports/check', { body }).then(readAgain, setError);
  };
  const run = (): void =>
    void propose({
      title: words.say('import.title', { n: rows }),
      confirm: words.say('import.do'),
      done: words.say('import.done'),
      about: <p>{words.say('import.about')}</p>,
      call: () => client.call('POST /imports/run', { body }),
    });
  return (
    <>
      {error ? <Failed error={error} /> : null}
      <div className="actions first">
        {isChecked && rows > 0 ? (
          <button type="button" onClick={run}>
            {words.say('all.import', { n: files.length })}
          </button>
        ) : null}
        <button
          type="button"
          className={isChecked ? 'second' : undefined}
          disabled={asksAbout(files).length > 0}
          onClick={check}
        >
          {words.say(isChecked ? 'check.again' : 'all.check', { n: files.length })}
        </button>
      </div>
    </>
  );
}
