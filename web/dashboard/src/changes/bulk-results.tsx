/** A job that changes many, as it goes on: what became of each. It goes on if the window is closed. */
import { useQuery } from '@tanstack/react-query';
import { clientOf } from '../app/client.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { Results, type Result } from './many.tsx';
import { ui } from '../ui/words.ts';
import { useBusiness } from '../app/business.ts';
import { words } from './words.ts';

const AGAIN_MS = 1000;

export interface BulkResultsProps {
  readonly title: string;
  /** id of the bulk action */
  readonly action: number;
  /** of what is changed, by its id */
  readonly names: ReadonlyMap<number, string>;
  /** `isOver`: each has its result */
  readonly onClose: (isOver: boolean) => void;
}

export function BulkResults({ title, action, names, onClose }: BulkResultsProps) {
  const { id: business } = useBusiness();
  const results = useQuery({
    queryKey: [business, 'GET /bulk_actions/{id}/results', { action }],
    queryFn: async (): Promise<readonly Result[]> => {
      const found: Result[] = [];
      const asked = { params: { id: action }, query: { page_size: 100 } };
      for await (const one of clientOf(business).call('GET /bulk_actions/{id}/results', asked))
        if (one.status !== 'pending')
          found.push({
            key: one.primary_object,
            label: names.get(one.primary_object) ?? String(one.primary_object),
            error: one.status === 'error' ? (one.error_message ?? '') : null,
          });
      return found;
    },
    refetchInterval: ({ state }) => ((state.data?.length ?? 0) < names.size ? AGAIN_MS : false),
  });
  const made = results.data ?? [];
  const close = (): void => onClose(made.length === names.size);
  return (
    <Dialog title={title} onClose={close}>
      {results.error ? <Failed error={results.error} again={() => void results.refetch()} /> : null}
      <p role="status">{words.say('making', { n: made.length, all: names.size })}</p>
      <progress value={made.length} max={names.size} aria-label={title} />
      {results.isPending ? <Loading /> : <Results results={made} />}
      <div className="actions">
        <button type="button" className="second" onClick={close}>
          {ui.say('close')}
        </button>
      </div>
    </Dialog>
  );
}
