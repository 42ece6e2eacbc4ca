/** Imports, as read by their screens. */
import { useCall } from '../../app/calls.ts';
import { words } from './words.ts';
import type { AnswerOf } from 'rollcall-sdk';

export type Import = AnswerOf<'GET /imports/{id}'>;

/** Returns true while a job processes it. */
export const isBusy = ({ status }: Import): boolean => status === 'checking' || status === 'running';

export const nameOf = ({ file_name: name, kind }: Import): string => name ?? words.say(`kind.${kind}`);

/** Polling interval of the progress. */
const LOOK_MS = 2000;

export const useImport = (id: number) =>
  useCall('GET /imports/{id}', { params: { id } }, { keep: true, again: (one: Import) => isBusy(one) && LOOK_MS });

/** Reads the latest imports. */
export const useImports = () =>
  useCall(
    'GET /imports',
    { query: { page_size: 100 } },
    { keep: true, again: ({ results }: { results: readonly Import[] }) => results.some(isBusy) && LOOK_MS },
  );

/** Returns true if the results of the check still apply. */
export const hasFates = ({ status, done_count: done }: Import): boolean => status !== 'ready' && done > 0;
