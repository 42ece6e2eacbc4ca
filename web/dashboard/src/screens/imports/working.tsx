import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { Failed } from '../../ui/states.tsx';
import { isBusy, type Import } from './import.ts';
import { readAgain } from '../../app/calls.ts';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';

/** Shows the progress of a job, with a button to stop it. `files`: those that it processes */
export function Working({ files }: { readonly files: readonly Import[] }) {
  const { id: business } = useBusiness();
  const [error, setError] = useState<unknown>(null);
  const { job, status } = files.find(isBusy) ?? files[0];
  const [n, all] = [
    files.reduce((sum, { done_count: done }) => sum + done, 0),
    files.reduce((sum, { row_count: rows }) => sum + rows, 0),
  ];
  const stop = (): void => {
    if (job)
      clientOf(business)
        .call('POST /jobs/{id}/cancel', { params: { id: Number(job) } })
        .then(readAgain, setError);
  };
  return (
    <div className="card">
      <p role="status">{words.say(status === 'checking' ? 'checking' : 'running', { n, all })}</p>
      <progress value={n} max={all} aria-label={words.say(`status.${status}`)} />
      {error ? <Failed error={error} /> : null}
      <div className="actions">
        <button type="button" className="second" onClick={stop}>
          {words.say('stop')}
        </button>
      </div>
    </div>
  );
}
