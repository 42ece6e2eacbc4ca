import { templateEndpoints } from './endpoints.ts';
import type { Area } from '../../../kernel/api/area.ts';

export const businessTemplates: Area = {
  name: 'business_templates',
  description: 'Templates for a new business: classes, packs, a trial offer, rules and emails, ready to edit.',
  endpoints: templateEndpoints,
};
