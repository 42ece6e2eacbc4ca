export {
  importCustomers,
  openCustomers,
  type CustomerFile,
  type CustomerImport,
  type CustomerSummary,
} from './import-customers.ts';
export { readCustomerMapping, type CustomerMapping } from './mapping.ts';
export type { Phone } from './read-person.ts';
export type { KeepPhones } from './write-people.ts';
