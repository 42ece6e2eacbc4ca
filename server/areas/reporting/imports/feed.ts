import { boolean, id, text } from '../../../kernel/base/fields/kinds.ts';
import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';

export const importFeed = feedKinds(
  'import',
  { import: id() },
  {
    created: { description: 'A file was uploaded, to be moved in.', payload: { kind: text() } },
    updated: 'The state of an import has changed, or its check or run has gone on. `changed` names the properties.',
    begun: {
      description: 'A check of a file, or its import, was begun. A job carries it out.',
      payload: { job: id(), dry_run: boolean() },
    },
    finished: { description: 'A file was checked, or its rows were imported.', payload: { dry_run: boolean() } },
    undone: 'An import was undone: what it created was taken back, unless something was built on it.',
    deleted: 'An import was deleted. What it brought stays.',
  },
);

export const FEED = [importFeed];
