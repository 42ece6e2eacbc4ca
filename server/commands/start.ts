import { serve } from '../main.ts';
import { configured } from './installation.ts';
import type { Command } from './command.ts';

export const start: Command = {
  name: 'start',
  summary: 'Start the service',
  options: { 'no-demo': { type: 'boolean', description: 'do not create a demo business on the first start' } },
  details: [
    'Prints "ready URL" once it accepts requests. Log lines (JSON) go to standard error. SIGTERM or Ctrl-C stops it without losing a request.',
    '',
    'Environment: PORT (8080; 0 takes a free one), HOST (0.0.0.0), DATA_DIR (./data), DATABASE_URL (default: the embedded PostgreSQL in DATA_DIR),',
    'PUBLIC_URL, DATABASE_POOL (8), LOG_LEVEL (info), RATE_LIMIT (on), TRUST_PROXY (off), ROLE (all; server or worker to share the work between processes).',
  ].join('\n'),
  run: ({ options }) => serve(configured(), { demo: !options['no-demo'] }),
};
