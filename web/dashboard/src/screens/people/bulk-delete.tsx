/** Deletes people who have nothing here. A job does it, and says of each whether it could. */
import { useEffect, useRef, useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Results, type Result } from '../../changes/many.tsx';
import { ui } from '../../ui/words.ts';
import { useBusiness } from '../../app/business.ts';
import { useQuery } from '@tanstack/react-query';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';

const AGAIN_MS = 1000;

interface DeleteProps {
  readonly chosen: ReadonlyMap<number, string>;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

export function DeleteChosen({ chosen, onClose, onDeleted }: DeleteProps) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const [action, setAction] = useState<number | null>(null);
  // Those who were chosen when it began: what is chosen is forgotten once they are gone.
  const [names] = useState(chosen);
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    void propose({
      title: words.say('bulk.delete.title', { n: names.size }),
      confirm: words.say('bulk.delete.confirm'),
      about: <p>{words.say('bulk.delete.about')}</p>,
      grave: true,
      call: () =>
        clientOf(business).call('POST /customers/bulk_delete', {
          body: { customers: { ids: [...names.keys()] } },
          fields: ['id'],
        }),
      done: words.say('bulk.delete.done'),
    }).then((outcome) => (outcome.made ? setAction(outcome.answer.id) : onClose()));
    // It begins once.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  const results = useQuery({
    queryKey: [business, 'results', action],
    enabled: action !== null,
    queryFn: async (): Promise<readonly Result[]> => {
      const found: Result[] = [];
      const asked = { params: { id: action! }, query: { page_size: 100 } };
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
  if (action === null) return null;
  const made = results.data ?? [];
  const close = (): void => {
    onClose();
    if (made.length === names.size) onDeleted();
  };
  return (
    <Dialog title={words.say('bulk.delete')} onClose={close}>
      {results.error ? <Failed error={results.error} again={() => void results.refetch()} /> : null}
      <p role="status">{words.say('bulk.progress', { n: made.length, all: names.size })}</p>
      <progress value={made.length} max={names.size} aria-label={words.say('bulk.delete')} />
      {results.isPending ? <Loading /> : <Results results={made} />}
      <div className="actions">
        <button type="button" className="second" onClick={close}>
          {ui.say('close')}
        </button>
      </div>
    </Dialog>
  );
}
