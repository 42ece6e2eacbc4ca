export { importCustomers, openCustomers, type CustomerImport, type CustomerSummary } from './import-customers.ts';
export { readCustomerMapping, type CustomerMapping } from './mapping.ts';
export { readPerson, type Person } from './read-person.ts';
export { invitePeople, storedHere, writePeople } from './write-people.ts';
export { joinFamilies, type FamilyLink } from './families.ts';
