import { id, text } from '../kernel/api/kinds.ts';
import { resource } from '../kernel/api/resource.ts';
const V = { provider: true, customer: true, unregistered: true } as const;
const mk = (name: string) => resource(name, { description: name, fields: { id: id(), name: text() }, visible: V });
export const tmp = { name: 'tmp', description: 'tmp', resources: ['instructor', 'offering_type', 'offering_type_category', 'registration_timeline'].map(mk) };
