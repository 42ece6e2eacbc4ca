import { auditEntry } from './audit-entry.ts';
import { findAuditEntries } from './find-audit-entries.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { actorName } from './audit-entry.ts';

/** Read-only: entries are written by the kernel, together with every change. */
export const audit: Area = {
  name: 'audit',
  description: 'The audit: changes, with the person, the time and the credential.',
  resources: [auditEntry],
  endpoints: findAuditEntries,
};
