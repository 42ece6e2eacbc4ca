import { get, list, type Who } from '../../../kernel/api/endpoint.ts';
import { application } from './application.ts';

/** Staff who administer the business, and the operator, who decides about direct authentication. */
const who: Who = { provider: ['super_admin'], customer: false, unregistered: false, operator: true };

export const findApplications = [
  list(application, { path: '/applications', summary: 'List applications', who }),
  get(application, { path: '/applications/{id}', summary: 'Get an application', who }),
];
