/** Corrects what was recognized in a file. It changes nothing in the business, so there is no preview. */
import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { readAgain } from '../../app/calls.ts';
import { useBusiness } from '../../app/business.ts';
import type { AskedOf } from 'rollcall-sdk';
import type { Import } from './import.ts';

export interface Changing {
  readonly change: (body: AskedOf<'PATCH /imports/{id}', never, never>['body']) => void;
  readonly busy: boolean;
  readonly error: unknown;
}

export function useChange({ id }: Import): Changing {
  const { id: business } = useBusiness();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const change: Changing['change'] = (body) => {
    setBusy(true);
    setError(null);
    clientOf(business)
      .call('PATCH /imports/{id}', { params: { id }, body })
      .then(readAgain, setError)
      .finally(() => setBusy(false));
  };
  return { change, busy, error };
}
