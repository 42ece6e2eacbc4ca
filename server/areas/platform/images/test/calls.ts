import { pngOf } from './pictures.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';

export const CALLS: Calls = {
  'POST /images': async () => ({ body: { image: (await pngOf()).toString('base64') } }),
};
