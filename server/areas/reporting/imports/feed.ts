import { boolean, id, listOf, text } from '../../../kernel/base/fields/kinds.ts';
import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';

export const importCreated = feedItemKind('import.created', {
  object: 'import',
  description: 'A file was uploaded, to be moved in.',
  payload: { import: id(), kind: text() },
});

export const importUpdated = feedItemKind('import.updated', {
  object: 'import',
  description:
    'What is known of an import has changed, or its check or run has gone on. `changed` names the properties.',
  payload: { import: id(), changed: listOf(text()) },
});

export const importBegun = feedItemKind('import.begun', {
  object: 'import',
  description: 'A check of a file, or its import, was begun. A job carries it out.',
  payload: { import: id(), job: id(), dry_run: boolean() },
});

export const importFinished = feedItemKind('import.finished', {
  object: 'import',
  description: 'A file was checked, or its rows were imported.',
  payload: { import: id(), dry_run: boolean() },
});

export const importDeleted = feedItemKind('import.deleted', {
  object: 'import',
  description: 'An import was deleted. What it brought stays.',
  payload: { import: id() },
});

export const FEED = [importCreated, importUpdated, importBegun, importFinished, importDeleted];
