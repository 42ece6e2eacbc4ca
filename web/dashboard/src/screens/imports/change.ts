/** Corrects what was recognized in files. It changes nothing in the business, so there is no preview. */
import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { readAgain } from '../../app/calls.ts';
import { useBusiness } from '../../app/business.ts';
import type { AskedOf } from 'rollcall-sdk';
import type { Import } from './import.ts';

export interface Changing {
  /** makes the same change in all files */
  readonly change: (body: AskedOf<'PATCH /imports/{id}', never, never>['body'], files?: readonly Import[]) => void;
  readonly busy: boolean;
  readonly error: unknown;
}

export function useChange(...all: readonly Import[]): Changing {
  const { id: business } = useBusiness();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const change: Changing['change'] = (body, files = all) => {
    setBusy(true);
    setError(null);
    const call = ({ id }: Import) => clientOf(business).call('PATCH /imports/{id}', { params: { id }, body });
    Promise.all(files.map(call))
      .catch(setError)
      .finally(() => {
        readAgain();
        setBusy(false);
      });
  };
  return { change, busy, error };
}
