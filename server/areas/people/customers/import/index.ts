export {
  importCustomers,
  openCustomers,
  type CustomerFile,
  type CustomerImport,
  type CustomerSummary,
} from './import-customers.ts';
export { readCustomerMapping, type CustomerMapping } from './mapping.ts';
export { readPerson, type Person, type Phone } from './read-person.ts';
export { invitePeople, storedHere, writePeople, type KeepPhones } from './write-people.ts';
