/** One import, as its screen reads it. */
import { useCall } from '../../app/calls.ts';
import type { AnswerOf } from 'rollcall-sdk';

export type Import = AnswerOf<'GET /imports/{id}'>;

/** A job works at it. */
export const isBusy = ({ status }: Import): boolean => status === 'checking' || status === 'running';

/** Somebody looks at how far it is. */
const LOOK_MS = 2000;

export const useImport = (id: number) =>
  useCall('GET /imports/{id}', { params: { id } }, { keep: true, again: (one: Import) => isBusy(one) && LOOK_MS });

/** What the check has found can still be said of it. */
export const hasFates = ({ status, done_count: done }: Import): boolean => status !== 'ready' && done > 0;
