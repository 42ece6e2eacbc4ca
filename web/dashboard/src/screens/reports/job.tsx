/** An export in progress: its progress, a button to stop it, and the download. */
import { useQuery } from '@tanstack/react-query';
import { clientOf } from '../../app/client.ts';
import { Failed } from '../../ui/states.tsx';
import { keepAs } from '../../app/files.ts';
import { keyOf } from '../../app/calls.ts';
import { numberOf } from '../../words/times.ts';
import { ui } from '../../ui/words.ts';
import { useBusiness } from '../../app/business.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';

export interface JobProgressProps {
  readonly job: number;
  readonly onClose?: () => void;
}

const EVERY_MS = 1000;
const RUNNING: readonly string[] = ['pending', 'running'];

export function JobProgress({ job, onClose }: JobProgressProps) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const client = clientOf(business);
  const asked = { params: { id: job } };
  const { data, error, refetch } = useQuery({
    queryKey: keyOf(business, 'GET /jobs/{id}', asked),
    queryFn: async ({ signal }) => client.call('GET /jobs/{id}', { ...asked, signal }),
    refetchInterval: ({ state }) => (state.data && !RUNNING.includes(state.data.status) ? false : EVERY_MS),
  });
  if (error) return <Failed error={error} again={() => void refetch()} />;
  const isRunning = !data || RUNNING.includes(data.status);
  const cancel = (): void =>
    void propose({
      title: words.say('job.cancel'),
      done: words.say('job.cancelled'),
      call: () => client.call('POST /jobs/{id}/cancel', { params: { id: job } }),
    });
  return (
    <div className="notice job" role="status">
      <p>
        {words.say(isRunning ? 'job.running' : data.status === 'complete' ? 'job.complete' : 'job.ended')}{' '}
        {data && data.complete_items > 0 ? words.say('count.rows', { n: data.complete_items }) : null}
      </p>
      {isRunning ? (
        <progress
          aria-label={words.say('job.running')}
          value={data?.complete_items ?? 0}
          max={Math.max(1, data?.total_items ?? 1)}
        />
      ) : null}
      <div className="actions">
        {isRunning ? (
          <button type="button" className="second" onClick={cancel}>
            {words.say('job.cancel')}
          </button>
        ) : null}
        {data?.status === 'complete' ? <Download job={job} /> : null}
        {onClose && !isRunning ? (
          <button type="button" className="second" onClick={onClose}>
            {ui.say('close')}
          </button>
        ) : null}
      </div>
    </div>
  );
}

function Download({ job }: { readonly job: number }) {
  const { id: business } = useBusiness();
  const client = clientOf(business);
  const get = async (): Promise<unknown> => {
    for await (const one of client.call('GET /report_exports', { fields: ['id', 'job', 'format', 'report'] }))
      if (one.job === job)
        return keepAs(
          client.call('GET /report_exports/{id}/file', { params: { id: one.id } }),
          `${one.report}-${numberOf(one.id)}.${one.format}`,
        );
    return undefined;
  };
  return (
    <button type="button" onClick={() => void get()}>
      {words.say('download')}
    </button>
  );
}
