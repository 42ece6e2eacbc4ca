import { type Who, listAndGet } from '../../../kernel/api/endpoint.ts';
import { application } from './application.ts';

/** Staff who administer the business, and the operator, who decides about direct authentication. */
const who: Who = { provider: ['super_admin'], customer: false, unregistered: false, operator: true };

export const findApplications = [
  ...listAndGet(application, { path: '/applications', summary: 'List applications', get: 'Get an application', who }),
];
