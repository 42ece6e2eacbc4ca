/** Deletes customers without any history, with a bulk action that reports the result of each. */
import { useEffect, useRef, useState } from 'react';
import { BulkDialog } from '../../changes/bulk-results.tsx';
import { clientOf } from '../../app/client.ts';
import { useBusiness } from '../../app/business.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';

interface DeleteProps {
  readonly chosen: ReadonlyMap<number, string>;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

export function DeleteChosen({ chosen, onClose, onDeleted }: DeleteProps) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const [action, setAction] = useState<number | null>(null);
  // The choice when the action began: the selection is cleared once they are deleted.
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
    // The action starts only once.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  if (action === null) return null;
  return (
    <BulkDialog
      title={words.say('bulk.delete')}
      action={action}
      names={names}
      onClose={(isOver) => {
        onClose();
        if (isOver) onDeleted();
      }}
    />
  );
}
