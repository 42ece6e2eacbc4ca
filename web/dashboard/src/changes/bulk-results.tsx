/** The results of a bulk action, live while its job runs, and afterwards as a file. */
import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { clientOf } from '../app/client.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { Results, type Result } from './many.tsx';
import { ui } from '../ui/words.ts';
import { useBusiness } from '../app/business.ts';
import { useCall } from '../app/calls.ts';
import { usePropose } from './change.tsx';
import { words } from './words.ts';

const POLL_MS = 1000;
/** More than anybody reads on screen; the file has all results. */
const MAX_ROWS = 100;

/**
 * The names of the objects by id: known in advance, or read once it is known which are shown, at most 100 per request.
 */
export type Names = ReadonlyMap<number, string> | ((ids: readonly number[]) => Promise<ReadonlyMap<number, string>>);

export interface BulkResultsProps {
  /** id of the bulk action */
  readonly action: number;
  readonly label: string;
  readonly names: Names;
}

/** Reads the progress of a bulk action. */
export function useBulkAction(action: number | null) {
  return useCall(
    'GET /bulk_actions/{id}',
    { params: { id: action ?? 0 }, fields: ['id', 'job.status', 'job.total_items', 'job.complete_items'] },
    { enabled: action !== null, again: ({ job }) => job !== null && job.status !== 'complete' && POLL_MS },
  );
}

export function BulkResults({ action, label, names }: BulkResultsProps) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const [isExported, setIsExported] = useState(false);
  const progress = useBulkAction(action);
  const job = progress.data?.job;
  const results = useQuery({
    queryKey: [business, 'GET /bulk_actions/{id}/results', { action, done: job?.complete_items }],
    enabled: job !== undefined,
    placeholderData: (before) => before,
    queryFn: async (): Promise<readonly Result[]> => {
      const found: { readonly key: number; readonly error: string | null }[] = [];
      // Failures first: they need attention.
      for (const status of ['error', 'success'] as const) {
        if (found.length === MAX_ROWS) break;
        const asked = { params: { id: action }, query: { status: [status], page_size: MAX_ROWS } };
        for await (const one of clientOf(business).call('GET /bulk_actions/{id}/results', asked)) {
          found.push({ key: one.primary_object, error: status === 'error' ? (one.error_message ?? '') : null });
          if (found.length === MAX_ROWS) break;
        }
      }
      const known = typeof names === 'function' ? await names(found.map(({ key }) => key)) : names;
      return found.map((one) => ({ ...one, label: known.get(one.key) ?? `#${one.key}` }));
    },
  });
  const error = progress.error ?? results.error;
  if (error) return <Failed error={error} again={() => void progress.refetch()} />;
  if (!job) return <Loading />;
  const save = async (): Promise<void> => {
    const { made } = await propose({
      title: words.say('bulk.export'),
      announced: ['report_export.requested'],
      done: words.say('bulk.exported'),
      call: () =>
        clientOf(business).call('POST /bulk_actions/{id}/export', { params: { id: action }, body: { format: 'csv' } }),
    });
    if (made) setIsExported(true);
  };
  return (
    <>
      <p role="status">{words.say('making', { n: job.complete_items, all: job.total_items })}</p>
      <progress value={job.complete_items} max={Math.max(1, job.total_items)} aria-label={label} />
      {results.data ? <Results results={results.data} /> : <Loading />}
      {results.data?.length === MAX_ROWS && job.complete_items > MAX_ROWS ? (
        <p>{words.say('bulk.more', { n: job.complete_items - MAX_ROWS })}</p>
      ) : null}
      {job.status === 'complete' ? (
        <p>
          {isExported ? (
            <Link to={`/${business}/reports?tab=files` as string}>{words.say('bulk.files')}</Link>
          ) : (
            <button type="button" className="second" onClick={() => void save()}>
              {words.say('bulk.export')}
            </button>
          )}
        </p>
      ) : null}
    </>
  );
}

export interface BulkDialogProps extends Omit<BulkResultsProps, 'label'> {
  readonly title: string;
  /** `isOver`: true if every object has its result. The job continues if the window is closed earlier. */
  readonly onClose: (isOver: boolean) => void;
}

export function BulkDialog({ title, action, names, onClose }: BulkDialogProps) {
  const job = useBulkAction(action).data?.job;
  const close = (): void => onClose(job?.status === 'complete');
  return (
    <Dialog title={title} onClose={close}>
      <BulkResults action={action} label={title} names={names} />
      <div className="actions">
        <button type="button" className="second" onClick={close}>
          {ui.say('close')}
        </button>
      </div>
    </Dialog>
  );
}
