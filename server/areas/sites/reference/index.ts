import type { Area } from '../../../kernel/api/area.ts';

export { Library } from './library.ts';
export { referenceDoors } from './published.ts';

/** The description of the interface: pages for developers at /docs, and the OpenAPI document. */
export const reference: Area = {
  name: 'reference',
  description: 'The description of the interface for developers, and the OpenAPI document.',
};
