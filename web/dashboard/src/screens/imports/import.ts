/** One import, as read by its screen. */
import { useCall } from '../../app/calls.ts';
import type { AnswerOf } from 'rollcall-sdk';

export type Import = AnswerOf<'GET /imports/{id}'>;

/** Returns true while a job processes it. */
export const isBusy = ({ status }: Import): boolean => status === 'checking' || status === 'running';

/** Polling interval of the progress. */
const LOOK_MS = 2000;

export const useImport = (id: number) =>
  useCall('GET /imports/{id}', { params: { id } }, { keep: true, again: (one: Import) => isBusy(one) && LOOK_MS });

/** Returns true if the results of the check still apply. */
export const hasFates = ({ status, done_count: done }: Import): boolean => status !== 'ready' && done > 0;
