/** The assistants that people connected: a business lists them, and can switch each off. */
import { assistant } from './assistant.ts';
import { assistantFeed } from './feed.ts';
import { listAndGet, remove, staffWith } from '../../../kernel/api/endpoint.ts';
import { disconnectAssistant } from './writes.ts';

const who = staffWith('super_admin');

const find = listAndGet(assistant, {
  path: '/assistants',
  summary: 'List connected assistants',
  get: 'Get a connected assistant',
  who,
});

const switch_off = remove(assistant, {
  path: '/assistants/{id}',
  summary: 'Switch off an assistant',
  description:
    'Its next request is refused, on every device of the person. They can connect it again: delete its application to prevent that.',
  who,
  run: async ({ work, target }) => {
    await disconnectAssistant(work, target.id);
    work.record(assistantFeed.deleted, target.id, { assistant: target.id });
  },
});

export const assistantEndpoints = [...find, switch_off];
